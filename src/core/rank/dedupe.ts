/** Finds duplicates among passages, best first: equal texts, nearly equal texts, and texts of equal meaning. */
import { cosine } from './likeness.ts';
import {
  mayBeSimilar,
  type TrigramSet,
  type TrigramSketch,
  trigramSet,
  trigramSimilarity,
} from './trigrams.ts';

/** An item that repeats a better one. */
export interface Duplicate {
  readonly index: number;
  /** Index of the better item that this item was merged into; smaller than `index`. */
  readonly of: number;
  /** Similarity of the two items, 0–1. */
  readonly similarity: number;
}

/**
 * Finds texts that are equal except for white space at their ends. An empty text is never a duplicate: its passage was
 * found by something else, such as a title or a tag.
 * @param hashes hashes of the texts, best first; equal for equal texts, 0 for an empty text
 * @param textOf returns a text to compare; called only for equal hashes, which different texts can have by chance
 */
export function dedupeContent(
  hashes: readonly number[],
  textOf: (index: number) => string,
): readonly Duplicate[] {
  const firstWith = new Map<number, number>();
  return hashes.flatMap((hash, index): Duplicate[] => {
    const of = firstWith.get(hash);
    if (of === undefined && hash !== 0) firstWith.set(hash, index);
    const isCopy = of !== undefined && textOf(of).trim() === textOf(index).trim();
    return isCopy ? [{ index, of, similarity: 1 }] : [];
  });
}

/**
 * Finds passages that share most of their character trigrams: Jaccard similarity of the lower-cased texts.
 * @param sketches sketches of the trimmed texts, best first
 * @param textOf returns a text to compare; called only for texts whose sketches are similar enough
 * @param threshold lowest similarity of duplicates, 0–1
 */
export function dedupeNgrams(
  sketches: readonly TrigramSketch[],
  textOf: (index: number) => string,
  threshold: number,
): readonly Duplicate[] {
  const sets: TrigramSet[] = [];
  const setOf = (index: number) => {
    sets[index] ??= trigramSet(textOf(index).trim());
    return sets[index];
  };
  return mergeDuplicates(sketches.length, threshold, (survivor, index) =>
    mayBeSimilar(sketches[survivor]!, sketches[index]!, threshold)
      ? trigramSimilarity(setOf(survivor), setOf(index))
      : 0,
  );
}

/** Returns the indices of texts that may be similar to another text. Only these texts must be read. */
export function nearSketches(sketches: readonly TrigramSketch[], threshold: number): readonly number[] {
  const near = new Set<number>();
  for (const [index, sketch] of sketches.entries()) {
    for (let other = 0; other < index; other++) {
      if (mayBeSimilar(sketches[other]!, sketch, threshold)) near.add(other).add(index);
    }
  }
  return [...near];
}

/**
 * Finds passages with the same meaning, by cosine.
 * @param vectors vectors of unit length, best first; an item without a vector is never merged
 * @param threshold lowest cosine of duplicates, 0–1
 */
export function dedupeSemantic(
  vectors: readonly (Float32Array | undefined)[],
  threshold: number,
): readonly Duplicate[] {
  return mergeDuplicates(vectors.length, threshold, (survivor, index) =>
    cosine(vectors[survivor], vectors[index]),
  );
}

/**
 * Merges each item into the best remaining item that it duplicates. An item is not compared with items that were merged,
 * so a chain of small differences does not merge its two ends.
 * @param count number of items, best first
 * @param threshold lowest similarity of duplicates, 0–1
 * @param similarity of two items, 0–1
 */
export function mergeDuplicates(
  count: number,
  threshold: number,
  similarity: (survivor: number, index: number) => number,
): readonly Duplicate[] {
  const survivors: number[] = [];
  const duplicates: Duplicate[] = [];
  for (let index = 0; index < count; index++) {
    let alike = 0;
    const of = survivors.find((survivor) => {
      alike = similarity(survivor, index);
      return alike >= threshold;
    });
    if (of === undefined) survivors.push(index);
    else duplicates.push({ index, of, similarity: alike });
  }
  return duplicates;
}
