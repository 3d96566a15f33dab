/** One scan of 100,000 × 384 for the best 200: WebAssembly and a plain loop over bytes against a plain float32 loop, in one run. */
import { percentile, randomNumbers } from '../src/core/evaluate/statistics.ts';
import { createPlainRows } from '../src/core/indexes/byte-rows.ts';
import { packVector, partsOf } from '../src/core/indexes/packed-vector.ts';
import { bestRows } from '../src/core/indexes/select.ts';
import { createVectorMatrix, quantizeQuery } from '../src/core/indexes/vector-matrix.ts';
import { keep } from './record.ts';

const ROWS = Number(process.argv[2] ?? 100_000);
const DIMENSIONS = 384;
const BEST = 200;
const ROUNDS = 7;
const BLOCK = 5;
/** Numbers that fill the caches of the processor: between two scans, a search reads the model and the words. */
const others = new Float64Array(8_000_000);

const floats = new Float32Array(ROWS * DIMENSIONS);
const matrix = createVectorMatrix(DIMENSIONS);
const plain = createPlainRows(DIMENSIONS);
plain.reserve(ROWS);
const random = randomNumbers(1);
for (let row = 0; row < ROWS; row += 1) {
  const vector = randomUnit();
  floats.set(vector, row * DIMENSIONS);
  const packed = packVector(vector);
  matrix.set(row, packed);
  plain.bytes.set(partsOf(packed).upper, row * DIMENSIONS);
}

const contenders: Record<string, (query: Float32Array) => unknown> = {
  scan: (query) => bestRows(matrix.scan(query), BEST),
  plainFloat: (query) => floatScan(query),
  plainBytes: (query) => bestRows(Float32Array.from(plain.products(quantizeQuery(query).values, ROWS)), BEST),
};

/** Milliseconds on the clock and of processor time; the second hardly changes when the machine is busy. */
const times = new Map(
  Object.keys(contenders).map((name) => [name, { clock: [] as number[], processor: [] as number[] }]),
);
for (let round = -1; round < ROUNDS; round += 1) {
  const query = randomUnit();
  for (const [name, scan] of Object.entries(contenders)) {
    for (let i = 0; i < BLOCK; i += 1) {
      for (let at = 0; at < others.length; at += 8) others[at]! += 1;
      const cpu = process.cpuUsage();
      const start = performance.now();
      await scan(query);
      const clock = performance.now() - start;
      const { user, system } = process.cpuUsage(cpu);
      if (round < 0) continue;
      times.get(name)!.clock.push(clock);
      times.get(name)!.processor.push((user + system) / 1000);
    }
  }
}

const medians = Object.fromEntries(
  [...times].map(([name, { clock, processor }]) => [
    name,
    { clock: middle(clock), processor: middle(processor) },
  ]),
);
const faster = (name: string, by: 'clock' | 'processor') =>
  Number((medians.plainFloat![by] / medians[name]![by]).toFixed(1));
const measured = {
  rows: ROWS,
  dimensions: DIMENSIONS,
  best: BEST,
  milliseconds: medians,
  timesFasterThanPlainFloat: {
    scan: { clock: faster('scan', 'clock'), processor: faster('scan', 'processor') },
    plainBytes: { clock: faster('plainBytes', 'clock'), processor: faster('plainBytes', 'processor') },
  },
};
console.log(JSON.stringify(measured));
await keep('scan', measured);

function floatScan(query: Float32Array): Int32Array {
  const scores = new Float32Array(ROWS);
  for (let row = 0, at = 0; row < ROWS; row += 1) {
    let sum = 0;
    for (let i = 0; i < DIMENSIONS; i += 1, at += 1) sum += floats[at]! * query[i]!;
    scores[row] = sum;
  }
  return bestRows(scores, BEST);
}

function randomUnit(): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() + random() - 1);
  const norm = Math.hypot(...vector);
  return vector.map((x) => x / norm);
}

function middle(times: readonly number[]): number {
  return Number(percentile(times, 0.5).toFixed(2));
}
