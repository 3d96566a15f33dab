/** Bisection: finds a place in what is sorted. */

/**
 * The first index whose test passes; the test must fail for all indexes before some place and pass for all from there on.
 * @returns `count` where it passes for none below it
 */
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
