/** Puts different documents before a second passage of the same one. */

/** A second passage keeps its place if its score is this many times that of the next document. */
const CLEARLY_BETTER = 1.25;

/**
 * Moves each further passage of a document below the first passages of other documents, unless it is clearly better than
 * they are. The order of documents, and of the passages of each, stays.
 * @param ranked best first
 */
export function spreadDocuments<T>(
  ranked: readonly T[],
  documentOf: (item: T) => number,
  scoreOf: (item: T) => number,
): T[] {
  const seen = new Set<number>();
  const spread: T[] = [];
  let waiting: T[] = [];
  for (const item of ranked) {
    if (seen.has(documentOf(item))) {
      waiting.push(item);
      continue;
    }
    const least = CLEARLY_BETTER * scoreOf(item);
    spread.push(...waiting.filter((each) => scoreOf(each) >= least), item);
    waiting = waiting.filter((each) => scoreOf(each) < least);
    seen.add(documentOf(item));
  }
  return [...spread, ...waiting];
}
