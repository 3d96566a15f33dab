/** Searches while a query is typed: words at once, meaning after a short pause. A former search is stopped. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { AnswerOf } from '../operations/operation.ts';
import type { search } from '../operations/search.ts';
import { filtersOf, type Place } from './place.ts';
import type { Outcome, Session } from './session.ts';

export type Answer = AnswerOf<typeof search>;
export type Hit = Answer['hits'][number];

export interface Finder {
  /** The latest answer or problem; undefined without a query. It stays until the next answer is there. */
  readonly found: ReadonlySignal<Outcome<Answer> | undefined>;
  /** How the running search finds; undefined if none is running. */
  readonly phase: ReadonlySignal<'words' | 'meaning' | undefined>;
  /** Explains the score of a hit of the present query; undefined if it is no longer found. */
  explain(chunkId: string): Promise<Hit['explanation']>;
}

/** Milliseconds without a key before the model is asked. */
const PAUSE_MS = 160;
/** Milliseconds that a page opened with a query waits for the model: hits by words alone would be put in another order. */
const OPENING_MS = 400;
const HITS = 20;

export function createFinder(session: Session, place: ReadonlySignal<Place>): Finder {
  const found = signal<Outcome<Answer> | undefined>();
  const phase = signal<'words' | 'meaning' | undefined>();
  // Compared as text: opening a document changes the place, but not this text, so nothing is searched again.
  const asked = computed(() => JSON.stringify(inputOf(place.value)));
  const knowsMeaning = () => session.meaning?.value?.state.value === 'ready';
  let stop = new AbortController();
  let isOpening = true;

  async function run(input: Input): Promise<void> {
    stop.abort();
    stop = new AbortController();
    const { signal: stopped } = stop;
    const wasOpening = isOpening;
    isOpening = false;
    if (input.query.trim() === '') {
      found.value = undefined;
      phase.value = undefined;
      return;
    }
    let isFinal = false;
    async function step(mode: Input['mode'], last: boolean): Promise<void> {
      const outcome = await session.ask('/api/search', { ...input, mode }, stopped);
      if (!outcome || stopped.aborted || isFinal) return;
      isFinal = last;
      found.value = outcome;
      phase.value = last ? undefined : 'meaning';
    }
    phase.value = 'words';
    const { connection } = session;
    const pause = (ms = PAUSE_MS) => new Promise((resolve) => setTimeout(resolve, ms));
    // Without a server, each beginning of a word would load other files.
    if (!connection) await pause();
    if (stopped.aborted) return;
    const mode = connection || knowsMeaning() ? input.mode : 'keyword';
    if (mode === 'keyword' || mode === 'code') return step(mode, true);
    if (wasOpening && connection) {
      const meaning = step(mode, true);
      await Promise.race([meaning, pause(OPENING_MS)]);
      if (!isFinal && !stopped.aborted && mode === 'hybrid') await step('keyword', false);
      return meaning;
    }
    const words = mode === 'hybrid' ? step('keyword', false) : undefined;
    if (connection) await pause();
    if (!stopped.aborted) await Promise.all([words, step(mode, true)]);
  }

  effect(() => {
    void session.connection?.returns.value;
    void knowsMeaning();
    const input = JSON.parse(asked.value) as Input;
    queueMicrotask(() => void run(input));
  });

  return {
    found,
    phase,
    async explain(chunkId) {
      const input = JSON.parse(asked.value) as Input;
      const outcome = await session.ask('/api/search', { ...input, explain: true });
      if (!outcome || !('answer' in outcome)) return undefined;
      const { hits, unsure } = outcome.answer;
      return [...hits, ...unsure].find(({ chunk_id }) => chunk_id === chunkId)?.explanation;
    },
  };
}

/** The lines of the snippet of a hit: first and last. */
export function linesOf({ snippet: { start_line, text } }: Pick<Hit, 'snippet'>): readonly [number, number] {
  return [start_line, start_line + text.trimEnd().split('\n').length - 1];
}

/** The server hears of changed files itself, so a search does not look for them, nor wait for new vectors. */
function inputOf({ query, mode, preset, filters }: Place) {
  return {
    ...{ query, mode, preset, ...filtersOf(filters) },
    ...{ top_n: HITS, parents: false, sync: false, wait: false },
  };
}

type Input = ReturnType<typeof inputOf>;
