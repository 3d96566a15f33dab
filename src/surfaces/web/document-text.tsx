/** The text of the open document, with the lines of the hit marked. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { bareAddresses } from './bare-addresses.ts';
import { isForElsewhere, plainTitle } from './document-link.tsx';
import { footnotes } from './footnotes.ts';
import { formulas } from './formulas.ts';
import { markLines, showHeading } from './mark-lines.ts';
import { usePage } from './page.ts';
import type { OpenDocument } from './place.ts';
import { type Linked, pointLinks } from './point-links.ts';
import type { ReadText } from './reader.ts';
import { createRenderer, GOES_TO, type Heading } from './render-document.ts';

const render = createRenderer(footnotes, formulas, bareAddresses);

interface Props {
  readonly read: ReadText;
  readonly linked: Linked;
  /** Line of the wanted heading, if only a part of the document is shown; 0 if there is no such heading. */
  readonly headingLine: number | undefined;
  readonly frame: { current: HTMLDivElement | null };
  /** Takes the focus when a document is opened. */
  readonly title: { readonly current: HTMLHeadingElement | null };
  readonly setOutline: (headings: readonly Heading[]) => void;
  /** Called with whether the wanted heading is there. */
  readonly setFound: (isFound: boolean) => void;
}

/** Effects run in the order in which they are written: they draw the text, then point its links to documents, then scroll. */
export function DocumentText({ read, linked, headingLine, frame, title, setOutline, setFound }: Props) {
  const { place, open } = usePage();
  const wanted = place.value.document;
  const begun = useRef<OpenDocument | undefined>(undefined);
  const reached = useRef<OpenDocument | undefined>(undefined);
  const { document_id, text, start_line } = read;

  useLayoutEffect(() => {
    const { fragment, outline } = render(read, place.peek());
    const [first] = fragment.children;
    // Hide a heading that only repeats the title above the text.
    if (first?.nodeName === 'H1' && first.textContent.trim() === plainTitle(read.title))
      first.classList.add('hidden');
    frame.current!.replaceChildren(fragment);
    setOutline(outline);
  }, [document_id, text, start_line]);
  useLayoutEffect(() => {
    pointLinks(frame.current!, read, linked, place.peek());
  }, [linked, document_id, text, start_line]);
  useLayoutEffect(() => {
    const isNew = begun.current !== wanted;
    begun.current = wanted;
    // Scroll only until the wanted place is reached: later changes of the text must not move the reader.
    const found = wanted && showWanted(frame.current!, wanted, reached.current !== wanted, headingLine);
    setFound(found === true || wanted?.heading === undefined);
    if (found) reached.current = wanted;
    else if (isNew) title.current?.scrollIntoView({ block: 'nearest' });
    if (isNew && !wanted?.heading) title.current?.focus({ preventScroll: true });
  }, [document_id, text, start_line, wanted, headingLine]);
  useLayoutEffect(() => {
    /** Links to other documents open in this pane. */
    function follow(event: MouseEvent): void {
      const link = (event.target as Element).closest(`a[${GOES_TO}]`);
      if (!link || isForElsewhere(event)) return;
      event.preventDefault();
      open(JSON.parse(link.getAttribute(GOES_TO)!) as OpenDocument);
    }
    const box = frame.current!;
    box.addEventListener('click', follow);
    return () => box.removeEventListener('click', follow);
  }, []);

  return <div ref={frame} class="text" dir="auto" />;
}

/**
 * Marks the wanted lines, or goes to the wanted heading; returns whether one of them is there.
 * @param goes whether to scroll there
 * @param line line of the heading, if only a part of the document is shown
 */
function showWanted(
  frame: HTMLElement,
  { lines, heading }: OpenDocument,
  goes: boolean,
  line: number | undefined,
): boolean {
  if (heading !== undefined) return !goes || showHeading(frame, heading, line);
  return markLines(frame, lines, goes);
}
