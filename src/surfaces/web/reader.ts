/** Reads the open document from the server and follows its changes. A long document is read in parts. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { readEvents } from '../attach/read-events.ts';
import type { AnswerOf } from '../operations/operation.ts';
import type { readDocument } from '../operations/read-document.ts';
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
const LISTEN_AGAIN_MS = 2_000;

interface Changed {
  readonly documents?: readonly { readonly document: string }[];
}

export function createReader(session: Session, place: ReadonlySignal<Place>): Reader {
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

  /** Listens only while the page can be seen: a browser opens six connections to a server, for all its tabs. */
  async function follow(open: OpenDocument, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await refresh(open, stop);
      const stream = await session.listen('/api/events', stop);
      try {
        for await (const { event, data } of stream ? readEvents(stream) : []) {
          const now = shown.peek();
          const known = now && 'answer' in now ? now.answer.document_id : open.id;
          const isOfOpen = (data as Changed).documents?.some(({ document }) => document === known);
          if (event === 'reset' || isOfOpen) await refresh(open, stop);
        }
      } catch {
        // The server went away, or the document was closed.
      }
      if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, LISTEN_AGAIN_MS));
    }
  }

  effect(() => {
    const now = id.value;
    shown.value = undefined;
    isGone.value = false;
    const open = place.peek().document;
    if (now === undefined || !open) return undefined;
    let stop = new AbortController();
    const look = () => {
      stop.abort();
      stop = new AbortController();
      if (document.visibilityState === 'visible') void follow(open, stop.signal);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      stop.abort();
      document.removeEventListener('visibilitychange', look);
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
