/** Measures one engine in a process of its own, so that no other has warmed it up or filled its memory: prints one line of JSON. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from '../../src/core/evaluate/statistics.ts';
import { makeVectorCorpus, readWordCorpus } from './corpora.ts';
import type { Engine, VectorCorpus, WordCorpus } from './engine.ts';
import { VECTOR_ENGINES } from './vector-engines.ts';
import { WORD_ENGINES } from './word-engines.ts';

/** What one process found out of one engine. */
export interface Measured {
  /** Passages or vectors. */
  readonly units: number;
  readonly buildSeconds: number;
  /** Milliseconds a query, ten hits. */
  readonly p50: number;
  readonly p95: number;
  /** More than before the corpus was indexed. */
  readonly memoryMiB: number;
  /** 0 for engines in memory. */
  readonly diskMiB: number;
  readonly found: readonly (readonly number[])[];
}

const HITS = 10;
/** Queries before time is taken. */
const WARMING = 20;

async function measure<Corpus extends WordCorpus | VectorCorpus>(
  engine: Engine<Corpus>,
  { queries, ...corpus }: Corpus,
): Promise<Omit<Measured, 'units'>> {
  const folder = await mkdtemp(join(tmpdir(), 'docfuse-peer-'));
  try {
    const before = process.memoryUsage.rss();
    const began = performance.now();
    const built = await engine.build(corpus, folder);
    const buildSeconds = (performance.now() - began) / 1000;
    const all: readonly Corpus['queries'][number][] = queries;
    for (const query of all.slice(-WARMING)) await built.search(query, HITS);
    const milliseconds: number[] = [];
    const found: (readonly number[])[] = [];
    for (const query of all) {
      const start = performance.now();
      found.push(await built.search(query, HITS));
      milliseconds.push(performance.now() - start);
    }
    const memoryMiB = (process.memoryUsage.rss() - before) / 2 ** 20;
    const diskMiB = (await sizeOf(folder)) / 2 ** 20;
    await built.close?.();
    const [p50, p95] = [percentile(milliseconds, 0.5), percentile(milliseconds, 0.95)];
    return { buildSeconds, p50, p95, memoryMiB, diskMiB, found };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const stats = await Promise.all(names.map((name) => stat(join(folder, name))));
  return stats.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

const [kind, name, source, queryCount] = process.argv.slice(2);
let measured: Measured;
if (kind === 'words') {
  const corpus = await readWordCorpus(source!, Number(queryCount));
  const engine = WORD_ENGINES.find((one) => one.name === name)!;
  measured = { units: corpus.passages.length, ...(await measure(engine, corpus)) };
} else {
  const corpus = makeVectorCorpus(Number(source), Number(queryCount));
  const engine = VECTOR_ENGINES.find((one) => one.name === name)!;
  measured = { units: Number(source), ...(await measure(engine, corpus)) };
}
console.log(JSON.stringify(measured));
