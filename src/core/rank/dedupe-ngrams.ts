/** Near duplicates: passages that share most of their character trigrams. */
import { type Duplicate, mergeDuplicates } from './merge-duplicates.ts';
import { mayBeSimilar, trigramSet, trigramSimilarity } from './trigrams.ts';

/**
 * Greedy, best first, by Jaccard similarity of the trigrams of the lower-cased text.
 * @param texts best first
 * @param threshold least similarity of duplicates, 0–1
 */
export function dedupeNgrams(texts: readonly string[], threshold: number): readonly Duplicate[] {
  const sets = texts.map((text) => trigramSet(text.trim()));
  const similarity = (survivor: number, index: number) => {
    const [a, b] = [sets[survivor]!, sets[index]!];
    return mayBeSimilar(a, b, threshold) ? trigramSimilarity(a, b) : 0;
  };
  return mergeDuplicates({ count: texts.length, similarity, threshold });
}
