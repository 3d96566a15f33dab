/** Measures how time grows with input, for tests of linearity. */

/** Time per character of a text eight times as long, relative to the short one: 1 when linear, 8 when quadratic. */
export function growth(run: (text: string) => unknown, unit: string): number {
  const small = unit.repeat(Math.ceil(20_000 / unit.length));
  const large = unit.repeat(Math.ceil(160_000 / unit.length));
  run(small);
  return fastest(() => run(large)) / (fastest(() => run(small)) + 1) / 8;
}

/** Processor time, in milliseconds: other programs on the machine do not count. */
function fastest(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 2; round++) {
    const start = process.cpuUsage();
    run();
    best = Math.min(best, process.cpuUsage(start).user / 1000);
  }
  return best;
}

/** A neighbour on the machine can slow one measurement down, but hardly four in a row. */
export const NOISY = { retry: 3 };
