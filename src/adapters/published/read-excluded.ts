/** Reads the passages that hold an excluded word: a section that contains such a passage is not shown. */
import { isOf, PASSAGES } from './conditions.ts';
import type { Condition, EditionReader, Wanted } from './engine.ts';
import type { LoadedPassage } from './loaded-passages.ts';

/** @param excluded undefined if nothing is excluded */
export async function readExcluded(
  { pages }: Pick<EditionReader, 'pages'>,
  excluded: readonly Condition[] | undefined,
  numbers: readonly number[],
  wanted: Wanted,
): Promise<ReadonlyMap<number, LoadedPassage>> {
  const found = new Map<number, LoadedPassage>();
  if (!excluded || numbers.length === 0) return found;
  const where = { ...PASSAGES, all: [isOf(...numbers)], some: excluded };
  for await (const page of pages<LoadedPassage>(where, wanted))
    for (const { id, payload } of page) found.set(id, payload);
  return found;
}
