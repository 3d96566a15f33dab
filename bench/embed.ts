/** Embedding throughput through the whole of `index` against the raw limit of ONNX Runtime, on the same texts in one run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openModelFolder } from '../src/adapters/onnx/model-folder.ts';
import { createTokenEncoder } from '../src/adapters/onnx/text-encoder.ts';
import { openSqliteStore } from '../src/adapters/store/sqlite-store.ts';
import { embeddingText } from '../src/core/chunk/chunk-head.ts';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { open } from '../src/engine/open.ts';
import { openRaw } from './raw-embedding.ts';
import { keep } from './record.ts';
import { timed } from './timed.ts';

const [corpus, rounds = '3'] = process.argv.slice(2);
if (corpus === undefined) throw new Error('usage: node bench/embed.ts <folder with Markdown> [rounds]');

const model = await openModelFolder(fileURLToPath(new URL('../models/bge-small-en-v1.5', import.meta.url)));
const encode = await createTokenEncoder(model);
const workers = availableParallelism();
const work = await mkdtemp(join(tmpdir(), 'docfuse-embed-'));

await indexOnce(corpus, join(work, 'warm-up'));
const texts = passagesOf(join(work, 'warm-up', 'index.sqlite'));
const encoded = texts.map(encode);
const tokens = encoded.reduce((sum, ids) => sum + ids.length, 0);
const raw = openRaw(model, encoded, workers);
await raw.run();

const seconds = { index: [] as number[], raw: [] as number[] };
for (let round = 0; round < Number(rounds); round += 1) {
  seconds.index.push((await timed(() => indexOnce(corpus, join(work, `round-${round}`)))) / 1000);
  seconds.raw.push((await timed(() => raw.run())) / 1000);
}
await raw.close();
await rm(work, { recursive: true });

const rate = { index: tokens / percentile(seconds.index, 0.5), raw: tokens / percentile(seconds.raw, 0.5) };
const measured = {
  passages: texts.length,
  tokens,
  workers,
  indexTokensPerSecond: Math.round(rate.index),
  rawTokensPerSecond: Math.round(rate.raw),
  ratio: Number((rate.index / rate.raw).toFixed(3)),
  seconds: { index: seconds.index.map(rounded), raw: seconds.raw.map(rounded) },
};
console.log(JSON.stringify(measured));
await keep('embed', measured);

/** Everything `docfuse index` does on a fresh folder: model, threads, reading, cutting, words, vectors, disk. */
async function indexOnce(root: string, indexPath: string): Promise<void> {
  await using index = await open({ roots: [root], indexPath });
  await index.sync();
}

function passagesOf(file: string): readonly string[] {
  const store = openSqliteStore(file, { readOnly: true });
  const texts = new Set<string>();
  for (const { number } of store.documents()) {
    for (const chunk of store.chunksOf(number)) texts.add(embeddingText(chunk));
  }
  store.close();
  return [...texts];
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
