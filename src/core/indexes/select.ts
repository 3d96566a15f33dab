/** Selects from an array of scores without sorting all of it: the scores are counted in bins, and only some bins are sorted. */

/** Bins 1 to LAST are of equal width from −1 to 1; scores beyond are in the first or the last of them. Bin 0 has −Infinity. */
const LAST = 4096;

/**
 * Returns the row numbers of the `k` highest scores, best first, equal scores by number. Rows with −Infinity are left out.
 * @param allowed 1 for each row that may be returned; rows after the end of this array are not returned
 * @param counts `countBins` of the same rows
 */
export function bestRows(
  scores: Float32Array,
  k: number,
  allowed?: Uint8Array,
  counts: Uint32Array = countBins(scores, allowed),
): Int32Array<ArrayBuffer> {
  if (k <= 0) return new Int32Array(0);
  let low = LAST;
  let count = counts[low]!;
  while (low > 1 && count < k) count += counts[--low]!;
  const rows = rowsInBins(low, LAST, count, scores, allowed);
  return rows.sort((a, b) => scores[b]! - scores[a]! || a - b).subarray(0, k);
}

/** Returns the exact median of all scores except −Infinity; 0 if there are no scores. @param counts `countBins` of them */
export function medianScore(scores: Float32Array, counts: Uint32Array = countBins(scores)): number {
  const total = scores.length - counts[0]!;
  if (total === 0) return 0;
  // The one or two scores in the middle, and the bins that hold them.
  const [first, second] = [(total - 1) >> 1, total >> 1];
  let low = 1;
  let below = 0;
  while (below + counts[low]! <= first) below += counts[low++]!;
  let high = low;
  let count = counts[low]!;
  while (below + count <= second) count += counts[++high]!;
  const middle = Float32Array.from(rowsInBins(low, high, count, scores), (row) => scores[row]!).sort();
  return (middle[first - below]! + middle[second - below]!) / 2;
}

/** Counts the scores of each bin. @param allowed as for `bestRows` */
export function countBins(scores: Float32Array, allowed?: Uint8Array): Uint32Array {
  const counts = new Uint32Array(LAST + 1);
  const rows = Math.min(scores.length, allowed?.length ?? scores.length);
  for (let row = 0; row < rows; row += 1) {
    if (allowed === undefined || allowed[row] === 1) counts[binOf(scores[row]!)]! += 1;
  }
  return counts;
}

/** @param count number of these rows */
function rowsInBins(low: number, high: number, count: number, scores: Float32Array, allowed?: Uint8Array) {
  const rows = new Int32Array(count);
  for (let row = 0, found = 0; row < scores.length && found < count; row += 1) {
    // `>>> 0` makes a bin below `low` a very large number. With two comparisons, half of all scores would pass the first at the
    // median, and no processor can predict which half.
    const isWithin = (binOf(scores[row]!) - low) >>> 0 <= high - low;
    if (isWithin && (allowed === undefined || allowed[row] === 1)) rows[found++] = row;
  }
  return rows;
}

/** A higher score never has a lower bin. */
function binOf(score: number): number {
  // `| 0` drops the fraction, and makes 0 of NaN.
  const bin = Math.max(0, Math.min(((score + 1) * LAST) / 2 + 1, LAST)) | 0;
  if (bin < 1) return score === Number.NEGATIVE_INFINITY ? 0 : 1;
  return bin;
}
