/** Picks the documents to judge from one or several rankings of passages. */

export interface ShownDocument {
  readonly path: string;
  /** The snippet of its best passage. */
  readonly text: string;
}

interface Passage {
  readonly path: string;
  readonly snippet: { readonly text: string };
}

/**
 * The first of every ranking, then the second of every ranking, and so on.
 * @param depth documents to take from each ranking
 */
export function bestDocuments(
  rankings: readonly (readonly Passage[])[],
  depth: number,
): readonly ShownDocument[] {
  const best = rankings.map((passages) => firstOfEach(passages).slice(0, depth));
  const byRank = Array.from({ length: depth }, (_, rank) => best.flatMap((ranking) => ranking[rank] ?? []));
  return firstOfEach(byRank.flat()).map(({ path, snippet }) => ({ path, text: snippet.text }));
}

function firstOfEach(passages: readonly Passage[]): readonly Passage[] {
  const seen = new Set<string>();
  return passages.filter(({ path }) => !seen.has(path) && seen.add(path));
}
