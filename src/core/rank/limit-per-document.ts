/** Keeps one long document from filling the answer. */

/**
 * The first `limit` of each document, order kept.
 * @param limit 0 is no limit
 */
export function limitPerDocument<T>(hits: readonly T[], documentOf: (hit: T) => number, limit: number): T[] {
  if (limit === 0) return [...hits];
  const seen = new Map<number, number>();
  return hits.filter((hit) => {
    const document = documentOf(hit);
    const count = (seen.get(document) ?? 0) + 1;
    seen.set(document, count);
    return count <= limit;
  });
}
