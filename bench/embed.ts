/** Embedding throughput of the pool against the best bare arrangement of ONNX Runtime, on the same texts in one run. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { packBatches } from '../src/adapters/onnx/batches.ts';
import { createOnnxEmbedder } from '../src/adapters/onnx/embedder.ts';
import { openModelFolder } from '../src/adapters/onnx/model-folder.ts';
import { createTokenEncoder } from '../src/adapters/onnx/tokenize.ts';

const [corpus, limit = '2000', rounds = '5'] = process.argv.slice(2);
if (corpus === undefined)
  throw new Error('usage: node bench/embed.ts <folder with Markdown> [passages] [rounds]');

const folder = fileURLToPath(new URL('../models/bge-small-en-v1.5', import.meta.url));
const workers = availableParallelism();
const texts = samplePassages(corpus, Number(limit));
const model = await openModelFolder(folder);
const encode = await createTokenEncoder(model);
const encoded = texts.map(encode);
const tokens = encoded.reduce((sum, ids) => sum + ids.length, 0);

const embedder = await createOnnxEmbedder({ folder, workers });
const raw = await openRaw();
await embedder.embedPassages(texts.slice(0, 200));
await raw.run();

const seconds = { pool: [] as number[], raw: [] as number[] };
for (let round = 0; round < Number(rounds); round += 1) {
  seconds.pool.push(await timed(() => embedder.embedPassages(texts)));
  seconds.raw.push(await timed(() => raw.run()));
}
await embedder.close();
await raw.close();

const rate = { pool: tokens / median(seconds.pool), raw: tokens / median(seconds.raw) };
console.log(
  JSON.stringify({
    passages: texts.length,
    tokens,
    workers,
    poolTokensPerSecond: Math.round(rate.pool),
    rawTokensPerSecond: Math.round(rate.raw),
    ratio: Number((rate.pool / rate.raw).toFixed(3)),
    seconds: { pool: seconds.pool.map(rounded), raw: seconds.raw.map(rounded) },
  }),
);

/** Bare threads that share one list of tokenised, length-sorted batches and take the next by an atomic counter. */
async function openRaw() {
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
    close: () => Promise.all(threads.map((thread) => thread.terminate())),
  };
}

/** Stretches of 80 to 1,500 characters, as chunking gives them, evenly from all files. */
function samplePassages(root: string, wanted: number): readonly string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  );
  const all: string[] = [];
  for (const file of files.sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    for (let at = 0; at < text.length; ) {
      const length = 80 + ((all.length * 379) % 1421);
      all.push(text.slice(at, at + length));
      at += length;
    }
  }
  const step = Math.max(1, all.length / wanted);
  return Array.from({ length: Math.min(wanted, all.length) }, (_, i) => all[Math.floor(i * step)]!);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
