/** A confidence as it is printed. */

/** Cut after two digits: what is below a threshold must not read as if it reached it. */
export function shownScore(score: number): string {
  return (Math.floor(score * 100 + ROUNDING) / 100).toFixed(2);
}

/** `0.29 * 100` is a little less than 29. */
const ROUNDING = 1e-9;
