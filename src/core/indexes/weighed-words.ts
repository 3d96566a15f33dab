/** The scored words of a query, in order, each with its idf. */
import type { QueryWord } from '../model/query.ts';

export interface WeighedWord {
  /** Terms in the index: the word as analysed for each language. */
  readonly terms: readonly string[];
  readonly position: number;
  readonly idf: number;
}

/** @param idf by term of the query, as in `Ranking.idf`. Stop words have none, unless the query has only stop words */
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
