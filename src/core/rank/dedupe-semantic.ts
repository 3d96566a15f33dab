/** Semantic duplicates: passages that say the same in other words. */
import { cosine } from './cosine.ts';
import { type Duplicate, mergeDuplicates } from './merge-duplicates.ts';

/**
 * Greedy, best first, by cosine.
 * @param vectorOf unit vector of an item, asked once for each that is looked at; one without a vector is kept
 * @param threshold least cosine of duplicates, 0–1
 * @param isEnough see `mergeDuplicates`
 */
export function dedupeSemantic(
  count: number,
  vectorOf: (index: number) => Float32Array | undefined,
  threshold: number,
  isEnough?: (survivor: number) => boolean,
): readonly Duplicate[] {
  const vectors = new Map<number, Float32Array | undefined>();
  const known = (index: number) => {
    if (!vectors.has(index)) vectors.set(index, vectorOf(index));
    return vectors.get(index);
  };
  const similarity = (survivor: number, index: number) => cosine(known(survivor), known(index));
  return mergeDuplicates({ count, similarity, threshold, ...(isEnough && { isEnough }) });
}
