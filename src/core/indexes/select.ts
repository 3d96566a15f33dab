/** Selects from an array of scores without sorting all of it: the best rows, and the median. */

/**
 * Returns the row numbers of the `k` highest scores, best first, equal scores by number. Rows with −Infinity are left out.
 * @param allowed 1 for each row that may be returned; rows after the end of this array are not returned
 */
export function bestRows(scores: Float32Array, k: number, allowed?: Uint8Array): Int32Array<ArrayBuffer> {
  const { rows, values } = eligible(scores, allowed);
  if (k <= 0 || rows.length === 0) return new Int32Array(0);
  const least = rows.length <= k ? Number.NEGATIVE_INFINITY : selectNth(values, rows.length - k);
  const best = rows.filter((row) => scores[row]! >= least);
  // There are more than k rows only if several tie for the last place.
  return best.sort((a, b) => scores[b]! - scores[a]! || a - b).subarray(0, k);
}

/** Returns the exact median of all scores except −Infinity; 0 if there are no scores. */
export function medianScore(scores: Float32Array): number {
  const { values } = eligible(scores);
  if (values.length === 0) return 0;
  const middle = values.length >> 1;
  const upper = selectNth(values, middle);
  if (values.length % 2 === 1) return upper;
  // After the selection, no value before the middle is larger than the middle one.
  let lower = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < middle; i += 1) if (values[i]! > lower) lower = values[i]!;
  return (lower + upper) / 2;
}

/** Returns the numbers of all allowed rows that have a score, ascending, and the scores of these rows in the same order. */
function eligible(scores: Float32Array, allowed?: Uint8Array) {
  const limit = allowed === undefined ? scores.length : Math.min(scores.length, allowed.length);
  const rows = new Int32Array(limit);
  const values = new Float32Array(limit);
  let count = 0;
  for (let row = 0; row < limit; row += 1) {
    const score = scores[row]!;
    if (score === Number.NEGATIVE_INFINITY || (allowed !== undefined && allowed[row] !== 1)) continue;
    rows[count] = row;
    values[count] = score;
    count += 1;
  }
  return { rows: rows.subarray(0, count), values: values.subarray(0, count) };
}

/** Hoare's quickselect: afterwards `values[n]` is the value that sorting would put there, and no value before it is larger. */
function selectNth(values: Float32Array, n: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = values[(left + right) >> 1]!;
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i]! < pivot) i += 1;
      while (values[j]! > pivot) j -= 1;
      if (i > j) break;
      const swapped = values[i]!;
      values[i] = values[j]!;
      values[j] = swapped;
      i += 1;
      j -= 1;
    }
    if (n <= j) right = j;
    else if (n >= i) left = i;
    else break;
  }
  return values[n]!;
}
