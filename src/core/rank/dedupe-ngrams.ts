/** Near duplicates: passages that share most of their character trigrams. */
import { type Duplicate, mergeDuplicates } from './merge-duplicates.ts';
import {
  mayBeSimilar,
  type TrigramSet,
  type TrigramSketch,
  trigramSet,
  trigramSimilarity,
} from './trigrams.ts';

/**
 * Greedy, best first, by Jaccard similarity of the trigrams of the lower-cased text.
 * @param sketches of the texts, blank space at their ends left out; best first
 * @param textOf asked only where sketches do not tell two texts apart
 * @param threshold least similarity of duplicates, 0–1
 */
export function dedupeNgrams(
  sketches: readonly TrigramSketch[],
  textOf: (index: number) => string,
  threshold: number,
): readonly Duplicate[] {
  const sets: TrigramSet[] = [];
  function setOf(index: number): TrigramSet {
    sets[index] ??= trigramSet(textOf(index).trim());
    return sets[index];
  }
  const similarity = (survivor: number, index: number) =>
    mayBeSimilar(sketches[survivor]!, sketches[index]!, threshold)
      ? trigramSimilarity(setOf(survivor), setOf(index))
      : 0;
  return mergeDuplicates({ count: sketches.length, similarity, threshold });
}

/** Indices of the texts that another one may resemble; the others need not be read. */
export function nearSketches(sketches: readonly TrigramSketch[], threshold: number): readonly number[] {
  const near = new Set<number>();
  for (const [index, sketch] of sketches.entries()) {
    for (let other = 0; other < index; other++) {
      if (mayBeSimilar(sketches[other]!, sketch, threshold)) near.add(other).add(index);
    }
  }
  return [...near];
}
