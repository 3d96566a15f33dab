/**
 * Recall against cost of a graph of vectors (HNSW, usearch) in each of 1, 2, 8 and 32 shards. The vectors are those of an index.
 * The questions are 200 of them, which are left out of the graphs.
 * Usage: node bench/graph-shards.ts INDEX, after `npm install --prefix bench/peers --ignore-scripts`
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mean, percentile } from '../src/core/evaluate/statistics.ts';
import { unpackVector } from '../src/core/indexes/packed-vector.ts';
import { createTopK } from '../src/core/indexes/top-k.ts';
import { load } from './peers/engine.ts';
import { keep } from './record.ts';

interface Graph {
  add(key: bigint, vector: Float32Array, threads: number): void;
  search(
    vector: Float32Array,
    best: number,
    threads: number,
  ): { readonly keys: BigUint64Array; readonly distances: Float32Array };
}

const SHARDS = [1, 2, 8, 32];
/** Candidates that a search of a graph keeps. */
const WIDTHS = [10, 20, 40, 80, 160];
const QUESTIONS = 200;
const BEST = 10;

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder of an index with vectors.');
const all = readVectors(folder);
const step = Math.floor(all.length / QUESTIONS);
const questions = all.filter((_, place) => place % step === 0).slice(0, QUESTIONS);
const vectors = all.filter((_, place) => place % step !== 0 || place / step >= QUESTIONS);
const nearest = questions.map((question) => new Set(exactBest(question)));
const { Index, MetricKind, ScalarKind } = (await load('usearch')).default;

const rows: Record<string, object> = {};
for (const count of SHARDS) {
  const started = performance.now();
  const graphs = Array.from({ length: count }, (_, shard) => buildGraph(shard, count));
  const buildSeconds = round((performance.now() - started) / 1_000, 10);
  for (const width of WIDTHS) rows[`${count} × ${width}`] = { ...ask(graphs, width), buildSeconds };
}
console.table(rows);
await keep('graph-shards', { vectors: vectors.length, questions: QUESTIONS, best: BEST, rows });

function readVectors(index: string): Float32Array[] {
  const database = new DatabaseSync(join(index, 'index.sqlite'), { readOnly: true });
  const found = database.prepare('SELECT vector FROM vectors ORDER BY number').all();
  database.close();
  return found.map(({ vector }) => unpackVector(vector as Uint8Array));
}

function exactBest(question: Float32Array): number[] {
  const top = createTopK(BEST, String);
  for (const [place, vector] of vectors.entries()) {
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += question[i]! * vector[i]!;
    top.offer(place, sum);
  }
  return top.ranked().map(({ slot }) => slot);
}

/** Every `count`th vector from `shard` on. */
function buildGraph(shard: number, count: number): Graph {
  const graph = new Index({
    dimensions: vectors[0]!.length,
    metric: MetricKind.Cos,
    quantization: ScalarKind.F16,
    connectivity: 16,
    expansion_search: BEST,
  });
  for (let place = shard; place < vectors.length; place += count)
    graph.add(BigInt(place), vectors[place]!, 1);
  return graph;
}

/** @returns recall of the best 10, and milliseconds of a question: in all shards together, and in the slowest */
function ask(graphs: readonly Graph[], width: number) {
  const recalls: number[] = [];
  const sums: number[] = [];
  const slowest: number[] = [];
  for (const [place, question] of questions.entries()) {
    const top = createTopK(BEST, String);
    const times = graphs.map((graph) => {
      const started = performance.now();
      // A search is as wide as the number of neighbours that it returns.
      const { keys, distances } = graph.search(question, width, 1);
      const ms = performance.now() - started;
      for (const [at, key] of keys.entries()) top.offer(Number(key), -distances[at]!);
      return ms;
    });
    recalls.push(top.ranked().filter(({ slot }) => nearest[place]!.has(slot)).length / BEST);
    sums.push(times.reduce((sum, each) => sum + each, 0));
    slowest.push(Math.max(...times));
  }
  const [all, last] = [sums, slowest].map((times) => round(percentile(times, 0.5), 1_000));
  return { recall: round(mean(recalls), 1_000), allMs: all, slowestMs: last };
}

function round(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
