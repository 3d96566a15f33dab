/** Greedy merging of duplicates, best first: the part that all ways of comparing share, and the way by meaning, which needs no more. */
import { cosine } from './likeness.ts';

/** One item that says what a better one says already. */
export interface Duplicate {
  readonly index: number;
  /** Index of the survivor that stands for it; always smaller. */
  readonly of: number;
  /** How alike the two are, 0–1. */
  readonly similarity: number;
}

export interface MergeOptions {
  /** Items, best first. */
  readonly count: number;
  /** How alike two items are, 0–1; a survivor comes first. */
  readonly similarity: (survivor: number, index: number) => number;
  /** Least similarity of duplicates, 0–1. */
  readonly threshold: number;
}

/**
 * Merges each item into the best survivor it is a duplicate of.
 * An item is compared with survivors only, so that a chain of small differences does not merge its two ends, and what
 * happens to an item depends on better ones alone.
 */
export function mergeDuplicates(options: MergeOptions): readonly Duplicate[] {
  const { count, similarity, threshold } = options;
  const survivors: number[] = [];
  const duplicates: Duplicate[] = [];
  for (let index = 0; index < count; index++) {
    const duplicate = findOriginal(index, survivors, similarity, threshold);
    if (duplicate) duplicates.push(duplicate);
    else survivors.push(index);
  }
  return duplicates;
}

/**
 * Passages that say the same in other words, by cosine.
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

function findOriginal(
  index: number,
  survivors: readonly number[],
  similarity: MergeOptions['similarity'],
  threshold: number,
): Duplicate | undefined {
  for (const survivor of survivors) {
    const alike = similarity(survivor, index);
    if (alike >= threshold) return { index, of: survivor, similarity: alike };
  }
  return undefined;
}
