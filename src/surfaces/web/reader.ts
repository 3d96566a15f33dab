/** Reads the open document from the server and follows its changes. A long document is read in parts. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { AnswerOf } from '../operations/operation.ts';
import type { readDocument } from '../operations/read-document.ts';
import type { Live } from './live.ts';
import type { OpenDocument, Place } from './place.ts';
import type { Outcome, Session } from './session.ts';

export type ReadText = AnswerOf<typeof readDocument>;

export interface Reader {
  /** Undefined if no document is open, or while it is read. */
  readonly shown: ReadonlySignal<Outcome<ReadText> | undefined>;
  /** Whether the document has text before the shown part. */
  readonly hasEarlier: ReadonlySignal<boolean>;
  /** The document is no longer in the index; `shown` has its last text. */
  readonly isGone: ReadonlySignal<boolean>;
  /** Reads the part before or after the shown one. */
  turn(way: 'earlier' | 'later'): Promise<void>;
}

/** Max characters of a part: rendering them takes less than a second. */
const PART = 300_000;
/** Lines of a long document that are read before the lines to mark. */
const BEFORE = 400;

interface Changed {
  readonly documents?: readonly { readonly document: string }[];
}

export function createReader(session: Session, live: Live, place: ReadonlySignal<Place>): Reader {
  const shown = signal<Outcome<ReadText> | undefined>();
  const isGone = signal(false);
  const firstLine = signal(1);
  const hasEarlier = computed(() => {
    const now = shown.value;
    return now !== undefined && 'answer' in now && now.answer.start_line > firstLine.value;
  });
  const id = computed(() => place.value.document?.id);

  async function read(open: OpenDocument, stop: AbortSignal, start_line?: number) {
    const input = { document: open.id, max_chars: PART, ...(start_line && { start_line }) };
    const outcome = await session.ask('/api/documents/{document}', input, stop);
    const first = open.lines?.[0];
    if (outcome && 'answer' in outcome && !start_line) firstLine.value = outcome.answer.start_line;
    if (start_line || first === undefined || !outcome || !('answer' in outcome)) return outcome;
    if (!outcome.answer.truncated || first <= outcome.answer.end_line) return outcome;
    const from = Math.min(Math.max(1, first - BEFORE), outcome.answer.last_line);
    return session.ask('/api/documents/{document}', { ...input, start_line: from }, stop);
  }

  /** Reads again what is shown. The last text stays if the document is gone. */
  async function refresh(open: OpenDocument, stop: AbortSignal): Promise<void> {
    const before = shown.peek();
    const known = before && 'answer' in before ? before.answer : undefined;
    const outcome = await read(open, stop, known?.start_line);
    if (!outcome || stop.aborted) return;
    const isMissing = 'problem' in outcome && outcome.problem.code === 'not_found';
    isGone.value = known !== undefined && isMissing;
    if ('answer' in outcome && outcome.answer.text === known?.text) return;
    if (known === undefined || 'answer' in outcome) shown.value = outcome;
  }

  effect(() => {
    const now = id.value;
    shown.value = undefined;
    isGone.value = false;
    const open = place.peek().document;
    if (now === undefined || !open) return undefined;
    let reading: AbortController | undefined;
    const unfollow = live.follow(({ event, data }) => {
      const last = shown.peek();
      const known = last && 'answer' in last ? last.answer.document_id : open.id;
      const isOfOpen = (data as Changed).documents?.some(({ document }) => document === known);
      if (event !== 'reset' && !isOfOpen) return;
      reading?.abort();
      reading = new AbortController();
      void refresh(open, reading.signal);
    });
    return () => {
      unfollow();
      reading?.abort();
    };
  });

  return {
    shown,
    isGone,
    hasEarlier,
    async turn(way) {
      const open = place.value.document;
      const now = shown.value;
      if (!open || !now || !('answer' in now)) return;
      const { start_line, end_line } = now.answer;
      const from = way === 'later' ? end_line + 1 : Math.max(firstLine.value, start_line - BEFORE * 5);
      const outcome = await session.ask('/api/documents/{document}', {
        document: open.id,
        start_line: from,
        ...(way === 'earlier' && { end_line: Math.max(1, start_line - 1) }),
        max_chars: PART,
      });
      if (outcome && place.value.document?.id === open.id) shown.value = outcome;
    },
  };
}
