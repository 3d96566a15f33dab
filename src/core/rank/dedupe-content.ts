/** Exact duplicates: passages with the same text, whatever file they stand in. */
import type { Duplicate } from './merge-duplicates.ts';

/**
 * Finds texts that are equal but for blank space at their ends; an empty text is a duplicate of nothing, because what
 * it was found by (a title, a tag) is not in it.
 * @param texts best first
 */
export function dedupeContent(texts: readonly string[]): readonly Duplicate[] {
  const firstWith = new Map<string, number>();
  return texts.flatMap((text, index): Duplicate[] => {
    // The map hashes the text and compares it in full: no two different texts are ever taken for one.
    const content = text.trim();
    if (content === '') return [];
    const of = firstWith.get(content);
    if (of !== undefined) return [{ index, of, similarity: 1 }];
    firstWith.set(content, index);
    return [];
  });
}
