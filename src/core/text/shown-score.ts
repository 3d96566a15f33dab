/** Formats a confidence for printing. */

/** Cuts after two decimals: a score below a threshold must not look as if it reached the threshold. */
export function shownScore(score: number): string {
  return (Math.floor(score * 100 + ROUNDING) / 100).toFixed(2);
}

/** Tolerance for rounding errors: `0.29 * 100` is a little less than 29. */
const ROUNDING = 1e-9;
