/**
 * Plans a search service on paper: tail latency with shards, replicas and hedged requests, hits of an answer cache, and hours
 * to embed again. Usage: node bench/simulate-serving.ts. Times of answers are those of `bench/results`; the rest is a
 * simulation with a fixed seed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean, percentile, randomNumbers } from '../src/core/evaluate/statistics.ts';
import { keep } from './record.ts';

const random = randomNumbers(11);
const QUESTIONS = 200_000;
/** Milliseconds of a search of one node: log-normal with p50 14 and p95 28, and a pause of 150 in one of a hundred. */
const MEDIAN = 14;
const SPREAD = Math.log(2) / 1.645;
const PAUSE = { share: 0.01, ms: 150 };
const embed = JSON.parse(
  readFileSync(join(import.meta.dirname, 'results/embed-2026-11-22.json'), 'utf8'),
) as { readonly passages: number; readonly seconds: { readonly index: readonly number[] } };

const tail: Record<string, object> = {};
for (const shards of [1, 2, 8, 32]) {
  tail[`${shards} shards`] = times(() => slowest(shards, answer));
  tail[`${shards} shards, hedged after 30 ms`] = times(() => slowest(shards, () => hedged(30)));
}
const cache: Record<string, object> = {};
for (const exponent of [0.6, 0.8, 1]) cache[`Zipf ${exponent}`] = hitShares(exponent, 1_000_000);
const queue: Record<string, object> = {};
for (const replicas of [1, 2, 4]) queue[`${replicas} replicas`] = atLoad(replicas);

const passagesPerSecond = embed.passages / mean(embed.seconds.index);
const hours = (passages: number, machines: number) => round(passages / passagesPerSecond / machines / 3_600);
const reembedding = {
  passagesPerSecond: round(passagesPerSecond),
  hours1e6: hours(1e6, 1),
  hours1e9: hours(1e9, 1),
  hours1e9on100: hours(1e9, 100),
};
console.table(tail);
console.table(cache);
console.table(queue);
console.table(reembedding);
await keep('simulate-serving', {
  assumed: { MEDIAN, SPREAD, PAUSE, QUESTIONS },
  tail,
  cache,
  queue,
  reembedding,
});

function answer(): number {
  const pause = random() < PAUSE.share ? PAUSE.ms : 0;
  return MEDIAN * Math.exp(SPREAD * normal()) + pause;
}

/** Asks a second replica if the first has not answered after `ms`. */
function hedged(ms: number): number {
  const first = answer();
  return first <= ms ? first : Math.min(first, ms + answer());
}

/** A question waits for all shards. */
function slowest(shards: number, one: () => number): number {
  let most = 0;
  for (let shard = 0; shard < shards; shard++) most = Math.max(most, one());
  return most;
}

function times(ask: () => number): object {
  const all = Array.from({ length: QUESTIONS / 4 }, ask);
  return {
    p50: round(percentile(all, 0.5)),
    p95: round(percentile(all, 0.95)),
    p99: round(percentile(all, 0.99)),
  };
}

/** Questions a second at which the p95 of waiting and answering stays below 100 ms; each replica answers one at a time. */
function atLoad(replicas: number): object {
  let perSecond = 0;
  let p95 = 0;
  for (;;) {
    const next = perSecond + 2 * replicas;
    const found = waitingP95(next, replicas);
    if (found > 100) return { perSecond, p95: round(p95) };
    [perSecond, p95] = [next, found];
  }
}

/** Poisson arrivals go to the replica that is free first. */
function waitingP95(perSecond: number, replicas: number): number {
  const free = new Float64Array(replicas);
  const all: number[] = [];
  let now = 0;
  for (let question = 0; question < QUESTIONS / 4; question++) {
    now -= (Math.log(1 - random()) * 1_000) / perSecond;
    const chosen = free.indexOf(Math.min(...free));
    free[chosen] = Math.max(now, free[chosen]!) + answer();
    all.push(free[chosen]! - now);
  }
  return percentile(all, 0.95);
}

/** Share of questions that a least-recently-used cache answers, by its size. @param different number of different questions */
function hitShares(exponent: number, different: number): object {
  const cumulative = new Float64Array(different);
  let total = 0;
  for (let rank = 0; rank < different; rank++) {
    total += (rank + 1) ** -exponent;
    cumulative[rank] = total;
  }
  return Object.fromEntries([100, 1_000, 10_000, 100_000].map((size) => [size, hitShare(cumulative, size)]));
}

function hitShare(cumulative: Float64Array, size: number): number {
  const kept = new Set<number>();
  let hits = 0;
  for (let question = 0; question < QUESTIONS; question++) {
    const asked = draw(cumulative);
    if (kept.delete(asked)) hits++;
    kept.add(asked);
    const [oldest] = kept;
    if (kept.size > size) kept.delete(oldest!);
  }
  return round(hits / QUESTIONS, 1_000);
}

function draw(cumulative: Float64Array): number {
  const at = random() * cumulative.at(-1)!;
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Box and Muller 1958. */
function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function round(value: number, parts = 10): number {
  return Math.round(value * parts) / parts;
}
