/** The words of a query that are scored, in their order, each with what it counts. */
import type { QueryWord } from '../model/query.ts';

export interface WeighedWord {
  /** As in the index: the word in each language. */
  readonly terms: readonly string[];
  readonly position: number;
  readonly idf: number;
}

/** @param idf of the terms of the query, as `Ranking.idf`; stop words have none, unless the query has nothing else */
export function weighWords(
  words: readonly QueryWord[],
  idf: ReadonlyMap<string, number> = new Map(),
): readonly WeighedWord[] {
  return words.flatMap(({ term, forms = [], position }) => {
    const own = idf.get(term);
    const terms = [term, ...forms].map((form) => form.toWellFormed());
    return own === undefined ? [] : [{ terms, position, idf: own }];
  });
}
