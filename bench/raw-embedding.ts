/** The raw limit of embedding: ONNX Runtime in bare threads on tokenised, length-sorted batches, and nothing else. */
import { Worker } from 'node:worker_threads';
import { packBatches } from '../src/adapters/encoding/model-inputs.ts';
import type { ModelFolder } from '../src/adapters/onnx/model-folder.ts';

export interface RawEmbedding {
  /** Embeds all texts once. */
  run(): Promise<void>;
  close(): Promise<void>;
}

/** Bare threads that share one list of tokenised, length-sorted batches and take the next by an atomic counter. */
export function openRaw(
  model: ModelFolder,
  encoded: readonly (readonly number[])[],
  workers: number,
): RawEmbedding {
  const batches = packBatches(encoded.map((ids) => ids.length)).map((batch) => batch.map((i) => encoded[i]!));
  const next = new Int32Array(new SharedArrayBuffer(4));
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    const ort = require('onnxruntime-node');
    const { file, batches, next } = workerData;
    const opening = ort.InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
    parentPort.on('message', async () => {
      const session = await opening;
      for (let i; (i = Atomics.add(next, 0, 1)) < batches.length; ) {
        const width = batches[i][0].length;
        const shape = [batches[i].length, width];
        const ids = new BigInt64Array(shape[0] * width);
        const attention = new BigInt64Array(shape[0] * width);
        batches[i].forEach((tokens, row) => tokens.forEach((id, column) => {
          ids[row * width + column] = BigInt(id);
          attention[row * width + column] = 1n;
        }));
        await session.run({
          input_ids: new ort.Tensor('int64', ids, shape),
          attention_mask: new ort.Tensor('int64', attention, shape),
        });
      }
      parentPort.postMessage('done');
    });`;
  const threads = Array.from(
    { length: workers },
    () => new Worker(source, { eval: true, workerData: { file: model.modelFile, batches, next } }),
  );
  return {
    async run() {
      next[0] = 0;
      await Promise.all(
        threads.map((thread) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          thread.once('message', () => resolve());
          thread.postMessage('go');
          return promise;
        }),
      );
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}
