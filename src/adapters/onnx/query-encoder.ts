/** Embeds single texts: the first ones on the calling thread, those of a process that goes on asking on a thread of their own. */
import type { ModelFolder } from './model-folder.ts';
import { createTextEncoder, type TextEncoder } from './text-encoder.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

export interface QueryEncoder {
  /** Loads the model. */
  dimensions(): Promise<number>;
  /** The unit vector of a text, the same to the last bit on either thread. */
  encode(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/** A command asks once or twice, and a thread takes longer to start than to answer; who has asked this often goes on asking. */
const FEW = 20;

/** Starts with nothing loaded. */
export function createQueryEncoder(model: ModelFolder): QueryEncoder {
  let here: Promise<TextEncoder> | undefined;
  let thread: WorkerPool | undefined;
  let isThreadReady = false;
  let asked = 0;
  /** Runs on this thread follow each other, so when the latest is done all are. */
  let latest: Promise<unknown> | undefined;

  function openHere(): Promise<TextEncoder> {
    here ??= createTextEncoder(model);
    return here;
  }

  async function encodeHere(text: string): Promise<Float32Array> {
    return (await openHere()).encode([text]);
  }

  /** The model is loaded twice for a moment; what is asked meanwhile is answered here. */
  async function moveOut(): Promise<void> {
    thread = createWorkerPool(model, 1);
    await thread.embed(['']);
    isThreadReady = true;
    await latest?.catch(() => {});
    await closeHere();
  }

  async function closeHere(): Promise<void> {
    const former = here;
    here = undefined;
    const open = await former?.catch(() => undefined);
    await open?.close();
  }

  return {
    dimensions: async () => (await openHere()).dimensions,
    async encode(text) {
      if (thread && isThreadReady) return (await thread.embed([text]))[0]!;
      asked += 1;
      // Where no thread can be started, this one goes on.
      if (asked === FEW) moveOut().catch(() => {});
      const vector = encodeHere(text);
      latest = vector;
      return vector;
    },
    async close() {
      await thread?.close();
      await closeHere();
    },
  };
}
