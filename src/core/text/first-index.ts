/** Binary search in sorted data. */

/** Returns the first index below `count` that passes, else `count`. If an index passes, all later indexes must pass. */
export function firstIndex(count: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
