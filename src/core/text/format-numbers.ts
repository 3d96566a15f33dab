/** Formats numbers for people. */

/** `34315199` → `34.3 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** `12345` → `12,345`, for whole numbers. */
export function count(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 hit`, `2 hits`. */
export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}

/** Cuts a confidence after two decimals: a score below a threshold must not look as if it reached the threshold. */
export function shownScore(score: number): string {
  return (Math.floor(score * 100 + ROUNDING) / 100).toFixed(2);
}

/** Tolerance for rounding errors: `0.29 * 100` is a little less than 29. */
const ROUNDING = 1e-9;
