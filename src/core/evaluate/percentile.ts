/** Percentiles by nearest rank: always a value that was really observed. */

/**
 * The smallest value that at least `share` of the values do not exceed; NaN without values.
 * @param share 0–1, such as 0.95
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}
