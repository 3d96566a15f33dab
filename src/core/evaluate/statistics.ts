/** Means, percentiles and repeatable random numbers. */

/** Returns the arithmetic mean; 0 without values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/**
 * Returns a percentile by nearest rank: the smallest value for which at least `share` of all values are equal or lower. Returns
 * NaN without values.
 * @param share 0–1, such as 0.95
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** Makes a generator of numbers in [0, 1) that depend on the seed alone: mulberry32 (Tommy Ettinger 2017, public domain). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
