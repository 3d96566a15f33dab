/** Greedy merging of duplicates, best first: the part that all ways of comparing share. */

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
