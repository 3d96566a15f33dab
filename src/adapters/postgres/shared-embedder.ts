/** An embedder whose passages are also embedded by workers on other machines, through jobs in PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import type { Embedder } from '../../core/ports.ts';
import type { EmbeddingJobs } from './embedding-jobs.ts';

/** Passages leased at once: seconds of work. */
export const BATCH = 32;
/** Batches at a time: while the vectors of one are stored, others are embedded, in several threads. */
export const LANES = 3;
/** Fewer passages are embedded here: a search waits for them, and they take only seconds. */
const MIN_SHARED = 64;
/** Calls at a time, so that the table holds about a thousand passages for workers. */
const CALLS = 8;
const POLL_MS = 100;
/** After a failure of the server, this process embeds alone for this time. */
const ALONE_MS = 300_000;

interface Wanted {
  readonly text: string;
  readonly signal: AbortSignal | undefined;
  /** Undefined if the caller must embed the text. */
  readonly vector: PromiseWithResolvers<Float32Array | undefined>;
}

interface Sharing {
  /** Called at the first use, and again after a failure. */
  readonly openJobs: () => Promise<EmbeddingJobs>;
  readonly keyOf: (text: string) => string;
}

/** Embeds as `inner` does, to the last bit. Without workers, or without the server, `inner` makes all vectors. */
export function shareEmbedder(inner: Embedder, { openJobs, keyOf }: Sharing): Embedder {
  const { model, dimensions } = inner;
  /** Passages in the table, oldest first. */
  const wanted = new Map<string, Wanted>();
  /** Passages that this process embeds now. */
  const busy = new Set<string>();
  let jobs: Promise<EmbeddingJobs> | undefined;
  let running: Promise<void> | undefined;
  let aloneUntil = 0;
  let problem: string | undefined;

  function settle(key: string, vector?: Float32Array): void {
    wanted.get(key)?.vector.resolve(vector);
    wanted.delete(key);
  }

  /** Goes on without the table: callers embed what they wait for. */
  function leaveAlone(error: unknown): void {
    if (performance.now() >= aloneUntil) {
      const why = error instanceof DocfuseError ? error.message : String(error);
      problem = `This machine made vectors without embedding workers: ${why}`;
    }
    aloneUntil = performance.now() + ALONE_MS;
    for (const key of [...wanted.keys()]) settle(key);
  }

  async function embedMine(
    mine: readonly string[],
    { during, finish, forget }: EmbeddingJobs,
  ): Promise<void> {
    const texts = mine.map((key) => wanted.get(key)!.text);
    const embed = () => inner.embedPassages(texts, wanted.get(mine[0]!)!.signal);
    for (const key of mine) busy.add(key);
    // If the model fails, the callers embed the texts again and get its error.
    const vectors = await during(model, mine, embed).catch(() => []);
    for (const key of mine) busy.delete(key);
    for (const [place, key] of mine.entries()) settle(key, vectors[place]);
    await (vectors.length > 0 ? finish(model, mine, vectors) : forget(model, mine));
  }

  async function work(open: EmbeddingJobs): Promise<void> {
    while (wanted.size > 0) {
      await open.tidy(model, [...wanted.keys()]);
      const { done, mine, lost } = await open.takeOwn(model, [...wanted.keys()], BATCH);
      const again = lost.flatMap((key) => (wanted.has(key) ? [{ key, text: wanted.get(key)!.text }] : []));
      if (again.length > 0) await open.add(model, again);
      const good = done.filter(({ vector }) => vector.length === dimensions);
      for (const { key, vector } of good) settle(key, vector);
      const wrong = done.filter((each) => !good.includes(each)).map(({ key }) => key);
      const toEmbed = [...mine, ...wrong].filter((key) => wanted.has(key) && !busy.has(key));
      if (toEmbed.length > 0) await embedMine(toEmbed, open);
      else if (good.length + again.length === 0) await sleep(POLL_MS);
    }
  }

  function run(open: EmbeddingJobs): void {
    running ??= Promise.all(Array.from({ length: LANES }, () => work(open)))
      .then(() => {}, leaveAlone)
      .finally(() => {
        running = undefined;
        if (wanted.size > 0) run(open); // added after the last look
      });
  }

  async function openTable(): Promise<EmbeddingJobs> {
    const open = await openJobs();
    await open.prepare().catch(async (error) => {
      jobs = undefined; // connects again after `ALONE_MS`
      await open.close();
      throw error;
    });
    return open;
  }

  /** @returns the vectors that were made; undefined for texts that the caller must embed */
  async function share(texts: readonly string[], signal?: AbortSignal) {
    const keys = texts.map(keyOf);
    try {
      jobs ??= openTable();
      const open = await jobs;
      const added = keys.map((key, place) => ({ key, text: texts[place]! }));
      await open.add(model, added);
      const vectors = keys.map((key, place) => {
        const known = wanted.get(key) ?? { text: texts[place]!, signal, vector: Promise.withResolvers() };
        wanted.set(key, known);
        return known.vector.promise;
      });
      const stop = () => keys.forEach((key) => void settle(key));
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
      run(open);
      const made = await Promise.all(vectors).finally(() => signal?.removeEventListener('abort', stop));
      if (signal?.aborted) await open.forget(model, keys);
      return made;
    } catch (error) {
      if (!signal?.aborted) leaveAlone(error);
      return texts.map(() => undefined);
    }
  }

  return {
    ...inner,
    calls: CALLS,
    async embedPassages(texts, signal) {
      const isAlone = texts.length < MIN_SHARED || performance.now() < aloneUntil;
      if (isAlone) return inner.embedPassages(texts, signal);
      const made = await share(texts, signal);
      const missing = texts.filter((_, place) => !made[place]);
      const rest = (missing.length > 0 ? await inner.embedPassages(missing, signal) : []).values();
      return made.map((vector) => vector ?? rest.next().value!);
    },
    problem() {
      const told = problem;
      problem = undefined;
      return told;
    },
    async close() {
      const left = [...wanted.keys()];
      for (const key of left) settle(key);
      await inner.close();
      await running;
      const open = await jobs?.catch(() => {});
      if (left.length > 0) await open?.forget(model, left).catch(() => {});
      await open?.close();
    },
  };
}
