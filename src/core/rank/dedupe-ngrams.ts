/** Near duplicates: passages that share most of their character trigrams. */
import { type Duplicate, mergeDuplicates } from './merge-duplicates.ts';
import { mayBeSimilar, type TrigramSet, trigramSet, trigramSimilarity } from './trigrams.ts';

/**
 * Greedy, best first, by Jaccard similarity of the trigrams of the lower-cased text.
 * @param textOf asked once for each item that is looked at
 * @param threshold least similarity of duplicates, 0–1
 * @param isEnough see `mergeDuplicates`
 */
export function dedupeNgrams(
  count: number,
  textOf: (index: number) => string,
  threshold: number,
  isEnough?: (survivor: number) => boolean,
): readonly Duplicate[] {
  const sets: TrigramSet[] = [];
  const setOf = (index: number) => (sets[index] ??= trigramSet(textOf(index).trim()));
  const similarity = (survivor: number, index: number) => {
    const [a, b] = [setOf(survivor), setOf(index)];
    return mayBeSimilar(a, b, threshold) ? trigramSimilarity(a, b) : 0;
  };
  return mergeDuplicates({ count, similarity, threshold, ...(isEnough && { isEnough }) });
}
