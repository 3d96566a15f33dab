/** Searches while a query is typed: by words at once, by meaning after a pause, then reranked. A new search stops the old one. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { filtersOf, type Place } from './place.ts';
import type { AnswerTo, Outcome, Session } from './session.ts';

export type Answer = AnswerTo<'/api/search'>;
export type Hit = Answer['hits'][number];

/** The steps of a search, in order: by words, by meaning, and reordered by a reranking model. */
const PHASES = ['words', 'meaning', 'order'] as const;
type Phase = (typeof PHASES)[number];

/** Milliseconds without a key before the search by meaning starts. */
const PAUSE_MS = 160;
/** Milliseconds that a newly opened page waits for hits by meaning before it shows hits by words, whose order would change. */
const OPENING_MS = 400;
const HITS = 20;

/** @param isReranking whether the server reorders hits by a model; undefined until the server has answered */
export function createFinder(
  session: Session,
  place: ReadonlySignal<Place>,
  isReranking: () => boolean | undefined,
) {
  const found = signal<Outcome<Answer> | undefined>();
  const phase = signal<Phase | undefined>();
  // The input as text. Opening a document changes the place but not this text, so it starts no new search.
  const asked = computed(() => JSON.stringify(inputOf(place.value)));
  const knowsMeaning = () => session.meaning?.value?.state.value === 'ready';
  let stop = new AbortController();
  let isOpening = true;
  /** The input of the last search, if all its steps are done; empty while a step is missing. */
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
    /** Undefined until the server has said whether it reranks. Until then, one search asks for reranked hits directly. */
    const reranks = isReranking();
    const last = reranks ? 2 : 1;
    const { connection } = session;
    let shown = -1;
    async function step(at: number, mode: Input['mode']): Promise<void> {
      const rerank = at === (reranks === undefined ? 1 : 2);
      const outcome = await session.ask('/api/search', { ...input, mode, rerank }, stopped);
      // Drop an answer by words that arrives after the answer by meaning.
      if (!outcome || stopped.aborted || at < shown) return;
      shown = at;
      const isAway = connection?.isAway.peek() && outcome.problem;
      // While the server is away, the last hits stay. The status line says that the server does not answer.
      if (!isAway || !found.peek()) found.value = outcome;
      phase.value = at === last ? undefined : PHASES[at + 1];
      if (at === last) answered = text;
    }
    /** A reranking model may take a second, so first show the hits in the order without it. */
    async function lastSteps(mode: Input['mode']): Promise<void> {
      await step(1, mode);
      if (reranks && !stopped.aborted) await step(2, mode);
    }
    phase.value = 'words';
    const pause = (ms = PAUSE_MS) => new Promise((resolve) => setTimeout(resolve, ms));
    // In an export, each partly typed word would load other files, so wait for a pause.
    if (!connection) await pause();
    if (stopped.aborted) return;
    const mode = connection || knowsMeaning() ? input.mode : 'keyword';
    // A repeated search skips the hits by words: they would change the order on the screen.
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
    /** The latest answer or problem; undefined without a query. It stays until the next answer arrives. */
    found: found as ReadonlySignal<Outcome<Answer> | undefined>,
    /** The step that is running; undefined if no search is running. */
    phase: phase as ReadonlySignal<Phase | undefined>,
    /** Explains the score of a hit of the present query; undefined if the hit is no longer found. */
    async explain(chunkId: string): Promise<Hit['explanation']> {
      const input = JSON.parse(asked.value) as Input;
      const outcome = await session.ask('/api/search', { ...input, explain: true });
      if (!outcome?.answer) return undefined;
      const { hits, unsure } = outcome.answer;
      return [...hits, ...unsure].find(({ chunk_id }) => chunk_id === chunkId)?.explanation;
    },
  };
}

/** The lines of the snippet of a hit: first and last. */
export function linesOf({ snippet: { start_line, text } }: Pick<Hit, 'snippet'>): readonly [number, number] {
  return [start_line, start_line + text.trimEnd().split('\n').length - 1];
}

/** The input of a search. The server itself watches files, so the search does not look for changes or wait for new vectors. */
export function inputOf({ query, mode, preset, filters }: Place) {
  return {
    query,
    mode,
    preset,
    ...filtersOf(filters),
    top_n: HITS,
    parents: false,
    sync: false,
    wait: false,
  };
}

type Input = ReturnType<typeof inputOf>;
