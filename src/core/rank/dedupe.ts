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

export interface NgramOptions {
  /** Number of passages, best first. */
  readonly count: number;
  /** The comparison ends when at least so many different passages are found. */
  readonly wanted: number;
  /** Lowest similarity of duplicates, 0–1. */
  readonly threshold: number;
  /** Returns the sketches of the trimmed texts. */
  readonly sketchesOf: (
    indices: readonly number[],
  ) => PromiseLike<readonly TrigramSketch[]> | readonly TrigramSketch[];
  /** Returns the texts; called only for texts whose sketches are similar enough. */
  readonly textsOf: (indices: readonly number[]) => PromiseLike<readonly string[]> | readonly string[];
}

/**
 * Finds passages that share most of their character trigrams: Jaccard similarity of the lower-cased texts. Reads as many passages
 * at a time as different ones are still wanted, or as duplicates were found: many duplicates take few rounds.
 */
export async function dedupeNgrams({ count, wanted, threshold, sketchesOf, textsOf }: NgramOptions) {
  const sketches: TrigramSketch[] = [];
  const survivors: number[] = [];
  const duplicates: Duplicate[] = [];
  const sets = new Map<number, TrigramSet>();
  while (survivors.length < wanted && sketches.length < count) {
    const next = Math.max(wanted - survivors.length, duplicates.length);
    const length = Math.min(next, count - sketches.length);
    const indices = Array.from({ length }, (_, offset) => sketches.length + offset);
    sketches.push(...(await sketchesOf(indices)));
    /** For each passage: the better passages that it may be a copy of. */
    const near = new Map<number, ReadonlySet<number>>();
    const better = [...survivors, ...indices];
    for (const index of indices) {
      const sketch = sketches[index]!;
      const alike = better.filter(
        (other) => other < index && mayBeSimilar(sketches[other]!, sketch, threshold),
      );
      if (alike.length > 0) near.set(index, new Set(alike));
    }
    const compared = new Set([...near].flatMap(([index, others]) => [index, ...others]));
    const unread = [...compared].filter((index) => !sets.has(index));
    const texts = unread.length > 0 ? await textsOf(unread) : [];
    for (const [place, index] of unread.entries()) sets.set(index, trigramSet(texts[place]!.trim()));
    const found = mergeDuplicates(
      indices,
      threshold,
      (survivor, index) =>
        near.get(index)?.has(survivor) ? trigramSimilarity(sets.get(survivor)!, sets.get(index)!) : 0,
      survivors,
    );
    for (const { index } of found) sets.delete(index); // a set takes some 20 KB
    duplicates.push(...found);
  }
  return duplicates;
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
  return mergeDuplicates([...vectors.keys()], threshold, (survivor, index) =>
    cosine(vectors[survivor], vectors[index]),
  );
}

/**
 * Merges each item into the best remaining item that it duplicates. An item is not compared with items that were merged,
 * so a chain of small differences does not merge its two ends.
 * @param indices of the items, best first
 * @param threshold lowest similarity of duplicates, 0–1
 * @param similarity of two items, 0–1
 * @param survivors better items that are compared too; remaining items are added. @default []
 */
export function mergeDuplicates(
  indices: readonly number[],
  threshold: number,
  similarity: (survivor: number, index: number) => number,
  survivors: number[] = [],
): readonly Duplicate[] {
  return indices.flatMap((index): Duplicate[] => {
    let alike = 0;
    const of = survivors.find((survivor) => {
      alike = similarity(survivor, index);
      return alike >= threshold;
    });
    if (of !== undefined) return [{ index, of, similarity: alike }];
    survivors.push(index);
    return [];
  });
}
