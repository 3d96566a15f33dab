/** Indexers and embedding workers of one table, with a model that needs no files. */
import { openJobs } from '../../../src/adapters/postgres/embedding-jobs.ts';
import { runWorker } from '../../../src/adapters/postgres/run-worker.ts';
import { shareEmbedder } from '../../../src/adapters/postgres/shared-embedder.ts';
import type { Embedder } from '../../../src/core/ports.ts';
import { vectorKey } from '../../../src/engine/workspace/vector-key.ts';

/** A server of the tests takes any password. */
export const password = process.env.PGPASSWORD ?? 'none';
const at = (url: string) => ({ url, name: 'docfuse', password, passwordEnv: 'PGPASSWORD', connections: 1 });

/** Vectors of three numbers, which depend on the text alone. `begun` are those that it was given, `texts` those that it has embedded. */
export function createToy(model = 'toy', fails: (text: string) => boolean = () => false) {
  const [begun, texts]: [string[], string[]] = [[], []];
  const embedOne = (text: string) =>
    Float32Array.from(
      [0, 6, 12].map((from) => Number.parseInt(vectorKey(text).slice(from, from + 6), 16) / 7),
    );
  const embedder: Embedder = {
    model,
    dimensions: 3,
    embedQuery: async (text) => embedOne(text),
    async embedPassages(given, signal) {
      begun.push(...given);
      await new Promise((pause) => setTimeout(pause, 60));
      signal?.throwIfAborted();
      if (given.some(fails)) throw new Error('the model fails');
      texts.push(...given);
      return given.map(embedOne);
    },
    async close() {},
  };
  return { embedder, begun, texts, embedAll: (given: readonly string[]) => given.map(embedOne) };
}

export const pages = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, number) => `page ${from + number} says something`);

export function partiesAt(url: string) {
  const open = () => openJobs(at(url));
  const share = (embedder: Embedder, openTable = open) =>
    shareEmbedder(embedder, { openJobs: openTable, keyOf: vectorKey });

  /** Runs a worker until `stop` is called. */
  async function startWorker(embedder: Embedder, once = false) {
    const jobs = await open();
    const stop = new AbortController();
    const notes: string[] = [];
    let embedded = 0;
    const options = {
      signal: stop.signal,
      once,
      onEmbedded(passages: number) {
        embedded += passages;
      },
      onNote: (line: string) => void notes.push(line),
    };
    const ended = runWorker(jobs, [embedder], options).finally(jobs.close);
    ended.catch(() => {});
    return {
      notes,
      ended,
      embedded: () => embedded,
      stop(): Promise<number> {
        stop.abort();
        return ended;
      },
    };
  }

  /** Puts passages into the table, as an indexer does. */
  async function add(texts: readonly string[], model = 'toy'): Promise<void> {
    const jobs = await open();
    await jobs.prepare();
    await jobs.add(
      model,
      texts.map((text) => ({ key: vectorKey(text), text })),
    );
    await jobs.close();
  }

  return { open, share, startWorker, add };
}
