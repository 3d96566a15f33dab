/** The text of the open document: marks the lines of the hit, and points links to the documents that the index knows. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { anchorName } from '../../core/text/anchor-name.ts';
import { plainTitle } from './document-link.tsx';
import { bareAddresses, footnotes, formulas } from './document-rules.ts';
import { isNamed, isOn, type LinkedPage, wikiTarget } from './links.ts';
import { usePage } from './page.ts';
import type { OpenDocument, Place } from './place.ts';
import type { ReadText } from './reader.ts';
import { createRenderer, GOES_TO, type Heading, setDocument } from './render-document.ts';
import { ANCHOR, LAST_LINE, LINE } from './sanitise.ts';
import { WIKI } from './shared-rules.ts';

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
  const { place } = usePage();
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
    const goes = reached.current !== wanted;
    const { lines, heading } = wanted ?? {};
    const found =
      heading === undefined
        ? markLines(frame.current!, lines, goes)
        : !goes || showHeading(frame.current!, heading, headingLine);
    setFound(found || heading === undefined);
    if (found) reached.current = wanted;
    else if (isNew) title.current?.scrollIntoView({ block: 'nearest' });
    if (isNew && !heading) title.current?.focus({ preventScroll: true });
  }, [document_id, text, start_line, wanted, headingLine]);

  return <div ref={frame} class="text" dir="auto" />;
}

const MARKED = 'marked';

/**
 * Marks the smallest blocks that hold the lines. Returns whether there is one.
 * @param goes whether to scroll to the first
 */
function markLines(frame: HTMLElement, lines: OpenDocument['lines'], goes: boolean): boolean {
  for (const block of frame.querySelectorAll(`.${MARKED}`)) block.classList.remove(MARKED);
  if (lines === undefined) return false;
  const [first, last] = lines;
  const blocks = [...frame.querySelectorAll(`[${LINE}]`)].filter(
    (block) => numberOf(block, LINE) <= last && numberOf(block, LAST_LINE) >= first,
  );
  const smallest = blocks.filter(
    (block) => !blocks.some((other) => other !== block && block.contains(other)),
  );
  for (const block of smallest) block.classList.add(MARKED);
  if (goes) smallest[0]?.scrollIntoView({ block: 'center' });
  return smallest.length > 0;
}

/**
 * Scrolls to a heading or a footnote, named as in links. Returns whether it is there.
 * @param line line of the heading, if only a part of the document is shown. The name is not enough there: names of equal headings
 * are numbered over the whole document.
 */
function showHeading(frame: HTMLElement, heading: string, line?: number): boolean {
  if (heading.startsWith('^')) return showBlock(frame, heading);
  const wanted = anchorName(heading);
  const found = [...frame.querySelectorAll<HTMLElement>(`[${ANCHOR}]`)].find((each) =>
    line ? numberOf(each, LINE) === line : each.getAttribute(ANCHOR) === wanted,
  );
  found?.scrollIntoView({ block: 'start' });
  found?.focus({ preventScroll: true });
  return found !== undefined;
}

/** Marks the block that ends with its own name, such as `^steps`, and scrolls to it. */
function showBlock(frame: HTMLElement, name: string): boolean {
  const isNamed = ({ textContent }: Element) => ` ${textContent.trimEnd()}`.endsWith(` ${name}`);
  const [last] = [...frame.querySelectorAll(`[${LINE}]`)].filter(isNamed).slice(-1);
  const [first, end] = [LINE, LAST_LINE].map((each) => (last ? numberOf(last, each) : 0));
  return markLines(frame, [first!, end!], true);
}

function numberOf(block: Element, name: string): number {
  return Number(block.getAttribute(name));
}

export interface Linked {
  readonly pages: readonly LinkedPage[];
  /** Whether the list is complete; a long list is cut. */
  readonly isWhole: boolean;
}

/** Points wikilinks to the documents that the link graph knows, and marks those that lead nowhere. */
function pointLinks(frame: HTMLElement, from: ReadText, { pages, isWhole }: Linked, place: Place): void {
  const links = [...frame.querySelectorAll<HTMLAnchorElement>(`a[${WIKI}]`)];
  for (const [block, ofBlock] of Map.groupBy(links, (link) => link.closest(`[${LINE}]`))) {
    if (!block) continue;
    const lines = [numberOf(block, LINE), numberOf(block, LAST_LINE)] as const;
    const linked = pages.filter(({ links }) => links.some((link) => isOn(lines, link)));
    // Number of links on these lines that only the graph has, because no shown link matches them. If it is above 0, a shown link
    // without a match is not marked as missing: it may be one of these, by an alias.
    let others = linked.flatMap(({ links }) => links.filter((each) => isOn(lines, each))).length;
    for (const link of block.querySelectorAll(`a[${GOES_TO}]:not([${WIKI}])`)) {
      const { id } = JSON.parse(link.getAttribute(GOES_TO)!) as { id: string };
      if (linked.some(({ document_id }) => document_id === id)) others--;
    }
    const lost: HTMLAnchorElement[] = [];
    for (const link of ofBlock) {
      const target = wikiTarget(link.getAttribute(WIKI)!);
      if (target.kind !== 'document') continue;
      const named = linked.filter((page) => isNamed(page, target.id));
      const [found] = named.length === 0 && isNamed(from, target.id) ? [from] : named;
      if (named.length > 0) others--;
      if (!found) lost.push(link);
      else if (named.length <= 1) {
        setDocument(link, { id: found.document_id, heading: target.heading }, place);
        setMissing(link, false);
      }
    }
    for (const link of lost) setMissing(link, isWhole && others <= 0);
  }
}

function setMissing(link: HTMLAnchorElement, isMissing: boolean): void {
  link.classList.toggle('missing', isMissing);
  if (isMissing) link.title = 'No document has this name.';
  else link.removeAttribute('title');
}
