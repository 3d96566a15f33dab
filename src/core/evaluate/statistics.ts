/** Means and percentiles. */

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
