/** Maximal marginal relevance (Carbonell and Goldstein 1998): each next hit is relevant and says something new. */

export interface Diversified<T> {
  readonly item: T;
  /** λ · relevance − (1 − λ) · similarity. */
  readonly value: number;
  readonly relevance: number;
  /** Greatest similarity to what was chosen before; 0 for the first. */
  readonly similarity: number;
}

/**
 * Reorders `items`; the first n do not depend on how many are wanted.
 * @param items best first; equal values keep this order
 * @param relevanceOf 0–1
 * @param similarity 0–1, on the scale of relevance
 * @param lambda 0–1; 1 keeps the order, 0 looks at novelty alone
 */
export function diversify<T>(
  items: readonly T[],
  relevanceOf: (item: T) => number,
  similarity: (a: T, b: T) => number,
  lambda: number,
): readonly Diversified<T>[] {
  let left = items.map((item) => {
    const relevance = relevanceOf(item);
    return { item, relevance, similarity: 0, value: marginalRelevance(lambda, relevance, 0) };
  });
  const chosen: Diversified<T>[] = [];
  while (left.length > 0) {
    const best = left.reduce((a, b) => (b.value > a.value ? b : a));
    chosen.push(best);
    left = left
      .filter((other) => other !== best)
      .map((other) => {
        const alike = Math.max(other.similarity, similarity(other.item, best.item));
        return { ...other, similarity: alike, value: marginalRelevance(lambda, other.relevance, alike) };
      });
  }
  return chosen;
}

/** λ · relevance − (1 − λ) · greatest similarity to what is chosen. */
export function marginalRelevance(lambda: number, relevance: number, similarity: number): number {
  return lambda * relevance - (1 - lambda) * similarity;
}
