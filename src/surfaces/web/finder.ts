/** Searches while a query is typed: words at once, meaning after a short pause, and then the order of a reranking model. A former search is stopped. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { AnswerOf } from '../operations/operation.ts';
import type { search } from '../operations/search.ts';
import { filtersOf, type Place } from './place.ts';
import type { Outcome, Session } from './session.ts';

export type Answer = AnswerOf<typeof search>;
export type Hit = Answer['hits'][number];

/** What hits wait for, one after the other; `order` is that of a reranking model. */
const PHASES = ['words', 'meaning', 'order'] as const;
type Phase = (typeof PHASES)[number];

export interface Finder {
  /** The latest answer or problem; undefined without a query. It stays until the next answer is there. */
  readonly found: ReadonlySignal<Outcome<Answer> | undefined>;
  /** How the running search finds; undefined if none is running. */
  readonly phase: ReadonlySignal<Phase | undefined>;
  /** Explains the score of a hit of the present query; undefined if it is no longer found. */
  explain(chunkId: string): Promise<Hit['explanation']>;
}

/** Milliseconds without a key before the model is asked. */
const PAUSE_MS = 160;
/** Milliseconds that a page opened with a query waits for the model: hits by words alone would be put in another order. */
const OPENING_MS = 400;
const HITS = 20;

/** @param isReranking whether the server reorders hits by a model; undefined until it says so */
export function createFinder(
  session: Session,
  place: ReadonlySignal<Place>,
  isReranking: () => boolean | undefined,
): Finder {
  const found = signal<Outcome<Answer> | undefined>();
  const phase = signal<Phase | undefined>();
  // Compared as text: opening a document changes the place, but not this text, so nothing is searched again.
  const asked = computed(() => JSON.stringify(inputOf(place.value)));
  const knowsMeaning = () => session.meaning?.value?.state.value === 'ready';
  let stop = new AbortController();
  let isOpening = true;
  /** The question that the shown answer answers fully. */
  let answered = '';

  async function run(text: string): Promise<void> {
    const input = JSON.parse(text) as Input;
    const isAgain = text === answered;
    answered = '';
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
    /** Undefined if the server has not said it yet; then one answer has the last order. */
    const reranks = isReranking();
    const last = reranks ? 2 : 1;
    const { connection } = session;
    let shown = -1;
    async function step(at: number, mode: Input['mode']): Promise<void> {
      const rerank = at === (reranks === undefined ? 1 : 2);
      const outcome = await session.ask('/api/search', { ...input, mode, rerank }, stopped);
      // An answer by words may come after the one by meaning.
      if (!outcome || stopped.aborted || at < shown) return;
      shown = at;
      const isAway = connection?.isAway.peek() && 'problem' in outcome;
      // While the server is away, which the line above says, the last hits stay.
      if (!isAway || !found.peek()) found.value = outcome;
      phase.value = at === last ? undefined : PHASES[at + 1];
      if (at === last) answered = text;
    }
    /** A reranking model may take a second, so the order before it is shown first. */
    async function lastSteps(mode: Input['mode']): Promise<void> {
      await step(1, mode);
      if (reranks && !stopped.aborted) await step(2, mode);
    }
    phase.value = 'words';
    const pause = (ms = PAUSE_MS) => new Promise((resolve) => setTimeout(resolve, ms));
    // Without a server, each beginning of a word would load other files.
    if (!connection) await pause();
    if (stopped.aborted) return;
    const mode = connection || knowsMeaning() ? input.mode : 'keyword';
    // Asked again, words would undo the order for a moment.
    if (isAgain || mode === 'keyword' || mode === 'code') return lastSteps(mode);
    if (wasOpening && connection) {
      const meaning = lastSteps(mode);
      await Promise.race([meaning, pause(OPENING_MS)]);
      if (shown < 0 && !stopped.aborted && mode === 'hybrid') await step(0, 'keyword');
      return meaning;
    }
    const words = mode === 'hybrid' ? step(0, 'keyword') : undefined;
    if (connection) await pause();
    if (!stopped.aborted) await Promise.all([words, lastSteps(mode)]);
  }

  effect(() => {
    void session.connection?.rounds.value;
    void knowsMeaning();
    const text = asked.value;
    queueMicrotask(() => void run(text));
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
export function inputOf({ query, mode, preset, filters }: Place) {
  return {
    ...{ query, mode, preset, ...filtersOf(filters) },
    ...{ top_n: HITS, parents: false, sync: false, wait: false },
  };
}

type Input = ReturnType<typeof inputOf>;
