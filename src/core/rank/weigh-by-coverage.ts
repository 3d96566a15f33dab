/** Weight of finding by words for one query: where no passage holds more than a word of it, the words say little. */

/**
 * `min(1, coverage · terms / min(terms, enough))`: a passage that holds a fifth of the idf of four words holds less than one of them,
 * and says what it says by chance; of twenty words it holds four.
 * @param coverage largest share of the query's idf that a passage holds, 0–1
 * @param terms words of the query, at least 1
 * @param enough words of the query that one passage has to hold for full weight; of a shorter query, all
 */
export function coverageFactor(coverage: number, terms: number, enough: number): number {
  return Math.min(1, (coverage * terms) / Math.min(terms, enough));
}
