/** Exact duplicates: passages with the same text, whatever file they stand in. */
import type { Duplicate } from './merge-duplicates.ts';

/**
 * Finds texts that are equal but for blank space at their ends; an empty text is a duplicate of nothing, because what
 * it was found by (a title, a tag) is not in it.
 * @param hashes of the texts, best first; equal for equal texts, 0 for an empty one
 * @param textOf asked only where hashes are equal, so that no two different texts are ever taken for one
 */
export function dedupeContent(
  hashes: readonly number[],
  textOf: (index: number) => string,
): readonly Duplicate[] {
  const firstWith = new Map<number, number>();
  return hashes.flatMap((hash, index): Duplicate[] => {
    if (hash === 0) return [];
    const of = firstWith.get(hash);
    if (of === undefined) firstWith.set(hash, index);
    return of !== undefined && textOf(of).trim() === textOf(index).trim()
      ? [{ index, of, similarity: 1 }]
      : [];
  });
}
