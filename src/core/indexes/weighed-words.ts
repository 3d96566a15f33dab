/** The scored words of a query, in order, each with its idf. */
import type { QueryWord } from '../model/query.ts';

export interface WeighedWord {
  /** Terms in the index: the word as analysed for each language. */
  readonly terms: readonly string[];
  readonly position: number;
  readonly idf: number;
}

/**
 * Returns the words that have an idf: all except stop words, or all if the query has only stop words.
 * @param idf by term of the query, as in `Ranking.idf`
 */
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
