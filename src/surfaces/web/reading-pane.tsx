/** The open document: its title and facts, its text, and the documents around it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ProblemNotice, Tags } from './controls.tsx';
import { plainTitle } from './document-link.tsx';
import { DocumentText, type Linked } from './document-text.tsx';
import { STOP } from './keys.ts';
import { OpenInEditor } from './open-in-editor.tsx';
import { usePage } from './page.ts';
import type { OpenDocument } from './place.ts';
import { PART, type ReadText } from './reader.ts';
import type { Heading } from './render-document.ts';
import { SEARCH_FIELD } from './search-box.tsx';
import { useLater } from './views.tsx';

/** Loaded late, because it stands below the text. */
const loadRelated = async () => (await import('./related-documents.tsx')).RelatedDocuments;

/** Anchors of blocks and pages, not of headings. */
const OTHER_ANCHOR = /^(?:\^|page=\d)/;

export function ReadingPane({ id }: { readonly id: string }) {
  const { reader, close, place } = usePage();
  const pane = useRef<HTMLElement>(null);
  const latest = useRef<OpenDocument>({ id });
  latest.current = place.value.document ?? latest.current;
  // When the pane closes, the hits can take the focus: on a narrow window, they were hidden before.
  useLayoutEffect(() => () => returnFocus(pane.current, latest.current), []);
  const shown = reader.shown.value;
  return (
    <section ref={pane} class="pane" aria-label="Document">
      <button type="button" class="close" aria-label="Close the document" title="Close (Esc)" onClick={close}>
        ×
      </button>
      {shown === undefined && <p>Reading…</p>}
      <ProblemNotice of={shown} />
      {shown?.answer && <Document read={shown.answer} />}
    </section>
  );
}

function Document({ read }: { readonly read: ReadText }) {
  const { place, reader } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [outline, setOutline] = useState<readonly Heading[]>([]);
  const [isFound, setFound] = useState(true);
  const [linked, setLinked] = useState<Linked>({ pages: [], isWhole: false });
  const { Shown: Related } = useLater(loadRelated);
  const open = place.value.document;
  const { document_id, start_line, end_line, last_line } = read;
  const isPart = reader.hasEarlier.value || end_line < last_line;
  const headingLine = isPart ? (reader.headingLine.value ?? 0) : undefined;
  const isKnown = !isPart || reader.headingLine.value === 0;

  return (
    <>
      <Head read={read} title={title} />
      {reader.isGone.value && (
        <p class="notice" role="alert">
          This document is no longer in the index. Below is its last text.
        </p>
      )}
      {isKnown && !isFound && !OTHER_ANCHOR.test(open?.heading ?? '') && (
        <p class="notice" role="status">
          This document has no heading <bdi>“{open?.heading}”</bdi>.
        </p>
      )}
      {outline.length > 1 && <Outline headings={outline} />}
      {reader.hasEarlier.value && <Turn way="earlier" frame={frame} />}
      <DocumentText
        read={read}
        linked={linked}
        headingLine={headingLine}
        frame={frame}
        title={title}
        setOutline={setOutline}
        setFound={setFound}
      />
      {isCutLine(read) && (
        <p class="notice">
          Line {start_line} is too long for this page. Only its first {PART.toLocaleString()} characters are
          shown.
        </p>
      )}
      {end_line < last_line && <Turn way="later" frame={frame} />}
      {Related && <Related id={document_id} lines={open?.lines} onLinked={setLinked} />}
    </>
  );
}

interface TurnProps {
  readonly way: 'earlier' | 'later';
  readonly frame: { readonly current: HTMLElement | null };
}

/** A button to another part of a long document. The next part is shown from its top. */
function Turn({ way, frame }: TurnProps) {
  const { reader } = usePage();
  async function turn(): Promise<void> {
    await reader.turn(way);
    if (way === 'later') frame.current?.scrollIntoView();
  }
  return (
    <button type="button" onClick={() => void turn()}>
      Show {way} lines
    </button>
  );
}

type HeadProps = { readonly read: ReadText; readonly title: { current: HTMLHeadingElement | null } };

function Head({ read, title }: HeadProps) {
  const { place, pathOf } = usePage();
  const line = place.value.document?.lines?.[0] ?? read.start_line;
  return (
    <>
      <h2 ref={title} tabIndex={-1} dir="auto">
        {plainTitle(read.title)}
      </h2>
      <p class="facts">
        <bdi class="path">{pathOf(read)}</bdi>
        <time dateTime={read.modified}>{read.modified.slice(0, 10)}</time>
        <Tags tags={read.tags} />
        <OpenInEditor file={read.file} line={line} />
      </p>
    </>
  );
}

function Outline({ headings }: { readonly headings: readonly Heading[] }) {
  return (
    <details class="outline">
      <summary>Outline</summary>
      <ul>
        {headings.map(({ id, level, text }) => (
          <li key={id} class={`level-${level}`}>
            <button type="button" class="link" dir="auto" onClick={() => goToHeading(id)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Moves the focus from a closed document to the hit that opened it, or to the query. */
function returnFocus(pane: HTMLElement | null, { id, lines }: OpenDocument): void {
  const now = document.activeElement;
  if (now !== document.body && !pane?.contains(now)) return;
  const stops = [...document.querySelectorAll<HTMLElement>(`[${STOP}]`)];
  const ofDocument = stops.filter((each) => each.dataset.document === id);
  const opener = ofDocument.find((each) => each.dataset.lines === lines?.join('-')) ?? ofDocument[0];
  (opener ?? document.getElementById(SEARCH_FIELD))?.focus();
}

function goToHeading(id: string): void {
  const heading = document.getElementById(id);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** Whether the part shows only the beginning of a long line. Its text has `PART` units, or one less if half a character was cut. */
function isCutLine({ truncated, start_line, end_line, text }: ReadText): boolean {
  return truncated && start_line === end_line && (text.length === PART || text.length === PART - 1);
}
