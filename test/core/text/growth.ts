/** Measures how time grows with input, for tests of linearity. */

/** Tests allow less than this. */
const STEEP = 4;

/**
 * Time per character of a text eight times as long, relative to the short one: 1 when linear, 8 when quadratic. Exact from `STEEP`
 * on. What is less is measured no more often than it takes to know that, so it may be too large. 0 if
 * 80,000 characters take less than 8 ms: that is too short to compare.
 */
export function growth(run: (text: string) => unknown, unit: string): number {
  const [small, large] = [10_000, 80_000].map((length) => unit.repeat(Math.ceil(length / unit.length)));
  const first = time(run, large!) / 8;
  if (first < 1) return 0;
  // For 32 ms, if time is linear: some systems count processor time in steps of 4 ms.
  const times = Math.ceil(32 / first);
  const short = () => time(() => Array.from({ length: times }, () => run(small!)), '') / times + 0.25;
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
