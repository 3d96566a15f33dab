/** The documents to look at, of one ranking of passages or of several. */

export interface ShownDocument {
  readonly path: string;
  /** Its best passage, cut. */
  readonly text: string;
}

/** A passage that was found. */
interface Passage {
  readonly path: string;
  readonly snippet: { readonly text: string };
}

/**
 * The first of every ranking, then the second of every ranking, and so on.
 * @param depth documents of each ranking
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
