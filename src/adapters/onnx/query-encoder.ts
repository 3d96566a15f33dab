/** Embeds single texts: on the calling thread, and in a process that goes on asking on a thread of their own. */
import type { ModelFolder } from './model-folder.ts';
import { createTextEncoder, type TextEncoder } from './text-encoder.ts';
import { createWorkerPool, stopped, type WorkerPool } from './worker-pool.ts';

export interface QueryEncoder {
  /** Loads the model. */
  dimensions(): Promise<number>;
  /** The unit vector of a text, the same to the last bit on either thread. @throws DocfuseError `aborted` */
  encode(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** The same for a question: many of them start the thread. */
  encodeQuery(text: string): Promise<Float32Array>;
  /** Ends what is under way, and rejects later questions. */
  close(): Promise<void>;
}

/** A command asks once or twice, and a thread takes longer to start than to answer. After so many questions more will come. */
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

  /** The model is loaded twice for a moment; what is asked meanwhile is answered here. */
  async function moveOut(): Promise<void> {
    pool = createWorkerPool(model, 1, file);
    try {
      await pool.embed(['']);
    } catch {
      // Where no thread can be started, this one goes on.
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
