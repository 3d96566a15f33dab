/** Embeds single texts: on the calling thread at first, and on a separate thread after several queries. */
import type { ModelFolder } from './model-folder.ts';
import { createTextEncoder, type TextEncoder } from './text-encoder.ts';
import { createWorkerPool, stopped, type WorkerPool } from './worker-pool.ts';

export interface QueryEncoder {
  /** Loads the model. */
  dimensions(): Promise<number>;
  /** The unit vector of a text, the same to the last bit on either thread. @throws DocfuseError `aborted` */
  encode(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** As `encode`, for a query. After several queries, the model moves to a separate thread. */
  encodeQuery(text: string): Promise<Float32Array>;
  /** Stops running work and rejects later queries. */
  close(): Promise<void>;
}

/** Queries before the thread is started. A command has one or two; starting a thread takes longer than answering them. */
const FEW = 20;

/**
 * Starts with nothing loaded.
 * @param file what the thread runs, as `createWorkerPool` takes it
 */
export function createQueryEncoder(model: ModelFolder, file?: URL): QueryEncoder {
  let here: Promise<TextEncoder> | undefined;
  let pool: WorkerPool | undefined;
  let isThreadReady = false;
  let asked = 0;
  let closed = false;
  /** The queue of all uses of the model on this thread. */
  let inUse: Promise<unknown> = Promise.resolve();

  function openHere(): Promise<TextEncoder> {
    if (closed) throw stopped('The embedder is closed.');
    here ??= createTextEncoder(model);
    return here;
  }

  async function encodeHere(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const encoder = await openHere();
    // Opening takes a while; a run cannot be stopped.
    if (signal?.aborted) throw stopped('Embedding was stopped.', signal.reason);
    return encoder.encode([text]);
  }

  async function encode(text: string, signal?: AbortSignal): Promise<Float32Array> {
    if (pool && isThreadReady) {
      try {
        return (await pool.embed([text], signal))[0]!;
      } catch (error) {
        if (closed || signal?.aborted) throw error;
        await closeThread();
      }
    }
    const vector = encodeHere(text, signal);
    inUse = Promise.allSettled([inUse, vector]);
    return vector;
  }

  /** Moves the model to a thread. Meanwhile it is loaded twice, and queries are answered on this thread. */
  async function moveOut(): Promise<void> {
    pool = createWorkerPool(model, 1, file);
    try {
      await pool.embed(['']);
    } catch {
      // If no thread can be started, this thread keeps answering.
      return closeThread();
    }
    isThreadReady = true;
    await closeHere();
  }

  async function closeThread(): Promise<void> {
    const former = pool;
    pool = undefined;
    await former?.close();
  }

  async function closeHere(): Promise<void> {
    const former = here;
    here = undefined;
    await inUse;
    const open = await former?.catch(() => undefined);
    await open?.close();
  }

  return {
    dimensions: async () => (await openHere()).dimensions,
    encode,
    encodeQuery(text) {
      asked += 1;
      if (asked === FEW && !closed) moveOut().catch(() => {});
      return encode(text);
    },
    async close() {
      closed = true;
      await closeThread();
      await closeHere();
    },
  };
}
