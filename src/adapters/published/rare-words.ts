/** Finds candidates without the commonest words of a query, which are in most texts and change few results. */
import type { Answers, EditionReader, Search, WantedOfFound } from './engine.ts';

/** Max share of the highest possible score that the words left out have together. */
const LEFT_OUT = 0.1;

export interface RareSearch extends Search {
  /** Whether common words may be left out. @default false */
  readonly mayLeaveOut?: boolean;
}

/**
 * Searches as `EditionReader.search` does. A search that finds too little runs again with all of its words; the payload then has
 * what it found before, too.
 */
export async function searchRareWords<Payload>(
  reader: EditionReader,
  searches: readonly RareSearch[],
  wanted?: WantedOfFound,
): Promise<Answers<Payload>> {
  const rare = searches.map(withoutCommon);
  const { found, payload } = await reader.search<Payload>(rare, wanted);
  const short = searches.filter(
    (search, place) => rare[place] !== search && found[place]!.length < search.limit,
  );
  const again = await reader.search<Payload>(short, wanted);
  return {
    found: searches.map((search, place) => again.found[short.indexOf(search)] ?? found[place]!),
    payload: new Map([...payload, ...again.payload]),
  };
}

function withoutCommon(search: RareSearch): Search {
  if (!search.mayLeaveOut || !search.by || !('weights' in search.by)) return search;
  const sorted = Object.values(search.by.weights)
    .flatMap((words) => [...words.values()])
    .sort((a, b) => a - b);
  let left = LEFT_OUT * sorted.reduce((sum, weight) => sum + weight, 0);
  let first = 0;
  while (first < sorted.length - 1 && sorted[first]! <= left) left -= sorted[first++]!;
  // Words of equal weight stay together.
  if (sorted[0] === sorted[first]) return search;
  const kept = Object.entries(search.by.weights).map(([lane, words]) => [
    lane,
    new Map([...words].filter(([, weight]) => weight >= sorted[first]!)),
  ]);
  return { ...search, by: { weights: Object.fromEntries(kept) } };
}
