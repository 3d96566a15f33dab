/** Measures how time grows with input, for tests of linearity. */

/** Tests allow less than this. */
const STEEP = 4;

/**
 * Time per character of a text eight times as long, relative to the short one: 1 when linear, 8 when quadratic. Exact from `STEEP`
 * on. What is less is measured no more often than it takes to know that, so it may be too large.
 */
export function growth(run: (text: string) => unknown, unit: string): number {
  const [small, large] = [20_000, 160_000].map((length) => unit.repeat(Math.ceil(length / unit.length)));
  const first = time(run, large!) / 8;
  if (first < STEEP) return first;
  // As often as the long text is longer: some systems count processor time in steps of 4 ms.
  const short = () => time(() => Array.from({ length: 8 }, () => run(small!)), '') / 8 + 1;
  const second = short();
  if (first / second < STEEP) return first / second;
  return Math.min(first, time(run, large!) / 8) / Math.min(second, short());
}

/** Processor time, in milliseconds: other programs on the machine do not count. */
function time(run: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  run(text);
  return process.cpuUsage(start).user / 1000;
}

/** A neighbour on the machine can slow one measurement down, but hardly four in a row. */
export const NOISY = { retry: 3 };
