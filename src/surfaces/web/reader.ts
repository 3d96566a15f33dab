/** Reads the open document from the server and follows its changes. A long document is read in parts. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { isChange, type Live } from './live.ts';
import type { OpenDocument, Place } from './place.ts';
import type { AnswerTo, InputTo, Outcome, Session } from './session.ts';

export type ReadText = AnswerTo<'/api/documents/{document}'>;
type Lines = Pick<InputTo<'/api/documents/{document}'>, 'start_line' | 'end_line'>;

/** Max characters of a part: rendering them takes less than a second. */
export const PART = 300_000;
/** Number of lines loaded above the first marked line of a long document. */
const BEFORE = 400;

export function createReader(session: Session, live: Live, place: ReadonlySignal<Place>) {
  const shown = signal<Outcome<ReadText> | undefined>();
  const isGone = signal(false);
  const headingLine = signal<number | undefined>();
  const firstLine = signal(1);
  const hasEarlier = computed(() => (shown.value?.answer?.start_line ?? 0) > firstLine.value);
  const id = computed(() => place.value.document?.id);
  const wanted = computed(() => place.value.document);

  function read(document: string, lines: Lines, stop?: AbortSignal) {
    return session.ask('/api/documents/{document}', { document, max_chars: PART, ...lines }, stop);
  }

  /** If `answer` lacks the wanted lines or heading of a long document, reads the part that has them. */
  async function reach({ id, lines, heading }: OpenDocument, answer: ReadText, stop: AbortSignal) {
    const isWhole = !answer.truncated && answer.start_line === firstLine.value;
    const isNamed = !isWhole && heading !== undefined;
    const named = isNamed ? await lineOf(id, heading, stop) : lines?.[0];
    if (isNamed && !stop.aborted) headingLine.value = named;
    if (isWhole || !named) return { answer };
    const line = Math.min(Math.max(firstLine.value, named), answer.last_line);
    let outcome: Outcome<ReadText> | undefined = { answer };
    // If the lines above are long, the part may end before the wanted line. Then begin at the wanted line.
    for (const from of [Math.max(1, line - BEFORE), line]) {
      if (!outcome?.answer) break;
      const { start_line, end_line } = outcome.answer;
      if (start_line <= line && line <= end_line) break;
      outcome = await read(id, { start_line: from }, stop);
    }
    return outcome;
  }

  async function lineOf(id: string, heading: string, stop: AbortSignal): Promise<number | undefined> {
    const document = `${id}#${heading}`;
    const outcome = await session.ask('/api/documents/{document}', { document, max_chars: 1 }, stop);
    if (outcome?.answer) return outcome.answer.start_line;
    return outcome?.problem.code === 'not_found' ? 0 : undefined;
  }

  /**
   * Reads again what is shown. The last text stays if the document is gone.
   * @param goes whether to go to the part with the wanted lines or heading
   */
  async function refresh(stop: AbortSignal, goes: boolean): Promise<void> {
    const open = wanted.peek()!;
    const known = shown.peek()?.answer;
    // Read the first part without a line number: its first line moves when the front matter changes.
    const from = hasEarlier.peek() ? known?.start_line : undefined;
    let outcome = await read(open.id, { start_line: from }, stop);
    if (outcome?.answer) {
      if (from === undefined) firstLine.value = outcome.answer.start_line;
      if (goes || !known) outcome = await reach(open, outcome.answer, stop);
    }
    if (!outcome || stop.aborted) return;
    isGone.value = known !== undefined && outcome.problem?.code === 'not_found';
    if (known === undefined || outcome.answer) shown.value = outcome;
  }

  effect(() => {
    const now = id.value;
    shown.value = undefined;
    isGone.value = false;
    if (now === undefined) return undefined;
    let reading: AbortController | undefined;
    function again(goes: boolean): void {
      reading?.abort();
      reading = new AbortController();
      void refresh(reading.signal, goes);
    }
    const unwatch = wanted.subscribe((open) => {
      headingLine.value = undefined;
      if (reading && open) again(true);
    });
    const unfollow = live.follow((event) => {
      if (isChange(event, shown.peek()?.answer?.document_id ?? now)) again(false);
    });
    return () => {
      unwatch();
      unfollow();
      reading?.abort();
    };
  });

  return {
    /** Undefined if no document is open, or while the document is read. */
    shown: shown as ReadonlySignal<Outcome<ReadText> | undefined>,
    /** The document is no longer in the index; `shown` has its last text. */
    isGone: isGone as ReadonlySignal<boolean>,
    /** In a document shown in parts: line of the wanted heading; 0 if it has no such heading, undefined until that is known. */
    headingLine: headingLine as ReadonlySignal<number | undefined>,
    /** Whether the document has text before the shown part. */
    hasEarlier,
    /** Reads the part before or after the shown one. */
    async turn(way: 'earlier' | 'later'): Promise<void> {
      const open = place.value.document;
      const now = shown.value?.answer;
      if (!open || !now) return;
      const { start_line, end_line } = now;
      let lines = BEFORE * 5;
      const readEarlier = () =>
        read(open.id, {
          start_line: Math.max(firstLine.value, start_line - lines),
          end_line: Math.max(1, start_line - 1),
        });
      let outcome = await (way === 'later' ? read(open.id, { start_line: end_line + 1 }) : readEarlier());
      // The server cuts at the end. An earlier part must end right above the shown one, so ask for fewer lines until it fits.
      while (way === 'earlier' && lines > 1 && outcome?.answer?.truncated) {
        lines = Math.min(lines - 1, outcome.answer.end_line - outcome.answer.start_line + 1);
        outcome = await readEarlier();
      }
      if (outcome && place.value.document?.id === open.id) shown.value = outcome;
    },
  };
}
