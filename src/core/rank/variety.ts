/** Prevents one long document, or one statement repeated many times, from filling the answer. */

interface OfDocument {
  readonly document: number;
}

/** Returns the first `limit` hits of each document in their order; all hits if `limit` is 0. */
export function limitPerDocument<T extends OfDocument>(hits: readonly T[], limit: number): T[] {
  if (limit === 0) return [...hits];
  const seen = new Map<number, number>();
  return hits.filter(({ document }) => {
    const count = (seen.get(document) ?? 0) + 1;
    seen.set(document, count);
    return count <= limit;
  });
}

/** A further passage of a document keeps its place if its score is at least this many times the score of the next document. */
const CLEARLY_BETTER = 1.25;

/**
 * Moves each further passage of a document below the first passages of other documents, unless the further passage is
 * clearly better. Documents stay in order, and so do the passages of each document.
 * @param ranked best first
 */
export function spreadDocuments<T extends OfDocument & { readonly fused: number }>(
  ranked: readonly T[],
): T[] {
  const seen = new Set<number>();
  const spread: T[] = [];
  let waiting: T[] = [];
  for (const item of ranked) {
    if (seen.has(item.document)) {
      waiting.push(item);
      continue;
    }
    const least = CLEARLY_BETTER * item.fused;
    spread.push(...waiting.filter(({ fused }) => fused >= least), item);
    waiting = waiting.filter(({ fused }) => fused < least);
    seen.add(item.document);
  }
  return [...spread, ...waiting];
}

interface Diversified<T> {
  readonly item: T;
  /** λ · relevance − (1 − λ) · similarity. */
  readonly value: number;
  readonly relevance: number;
  /** Greatest similarity to the items chosen before; 0 for the first item. */
  readonly similarity: number;
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein 1998): reorders `items`. Each next item is relevant and differs from
 * the items before it. A caller that needs n items takes the first n: the order does not depend on n.
 * @param items best first; equal values keep this order
 * @param relevanceOf 0–1
 * @param similarity 0–1, on the scale of relevance
 * @param lambda share of relevance, 0–1; 1 keeps the order, 0 uses novelty alone
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

/** Returns λ · relevance − (1 − λ) · greatest similarity to the items chosen before. */
export function marginalRelevance(lambda: number, relevance: number, similarity: number): number {
  return lambda * relevance - (1 - lambda) * similarity;
}
