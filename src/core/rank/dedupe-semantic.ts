/** Semantic duplicates: passages that say the same in other words. */
import { cosine } from './cosine.ts';
import { type Duplicate, mergeDuplicates } from './merge-duplicates.ts';

/**
 * Greedy, best first, by cosine.
 * @param vectors of unit length, best first; an item without one is kept
 * @param threshold least cosine of duplicates, 0–1
 */
export function dedupeSemantic(
  vectors: readonly (Float32Array | undefined)[],
  threshold: number,
): readonly Duplicate[] {
  const similarity = (survivor: number, index: number) => cosine(vectors[survivor], vectors[index]);
  return mergeDuplicates({ count: vectors.length, similarity, threshold });
}
