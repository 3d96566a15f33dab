/** Turns the scores of a lexical index into a ranking with explanations. */
import type { Lane } from '../model/ranking-constants.ts';
import { explainScore } from './explain-score.ts';
import type { Postings, Scores } from './postings.ts';
import type { Ranking, SlotMask } from './retriever.ts';
import { createTopK } from './top-k.ts';

/** A ranking by BM25F; its explanations are valid until the index changes. */
export type LexicalRanking = Ranking &
  Required<Pick<Ranking, 'bound' | 'coverageOf' | 'bestCoverage' | 'idf' | 'explain'>>;

interface RankingOptions {
  readonly lane: Lane;
  readonly k: number;
  readonly mask: SlotMask | undefined;
  readonly idOf: (slot: number) => string;
}

/** Ranks the allowed slots that match. */
export function rankScores(postings: Postings, scores: Scores, options: RankingOptions): LexicalRanking {
  const { lane, k, mask, idOf } = options;
  const top = createTopK(k, idOf);
  const values = scores.scores;
  let best = 0;
  const share = (idf: number) => (scores.totalIdf > 0 ? Math.min(1, idf / scores.totalIdf) : 0);
  let least = Number.MIN_VALUE; // a score of 0 is no match
  for (let slot = 0; slot < values.length; slot++) {
    const score = values[slot]!;
    if (score < least) continue;
    if (score > best) best = score;
    if (mask !== undefined && mask[slot] !== 1) continue;
    top.offer(slot, score);
    if (top.least > least) least = top.least;
  }
  return {
    lane,
    entries: top.ranked(),
    best,
    scoreOf: (slot) => values[slot] ?? 0,
    bound: scores.bound,
    coverageOf: (slot) => share(scores.matchedIdf[slot] ?? 0),
    bestCoverage: share(findMostIdf(scores)),
    // Reversed, so that the first idf of a term wins: a query may hold a term twice, for example for two fields.
    idf: new Map(scores.terms.toReversed().map(({ query, idf }) => [query.term, idf])),
    explain: (slot) => explainScore(postings, scores, slot, lane),
    release: scores.release,
  };
}

/**
 * Returns the largest matched idf of all units, including synonyms. In a unit with a word and its synonym, the word counts
 * twice, so `share` limits the result to 1.
 */
function findMostIdf({ matchedIdf, addedIdf }: Scores): number {
  let most = 0;
  for (let unit = 0; unit < matchedIdf.length; unit++) {
    const idf = addedIdf === undefined ? matchedIdf[unit]! : matchedIdf[unit]! + addedIdf[unit]!;
    if (idf > most) most = idf;
  }
  return most;
}
