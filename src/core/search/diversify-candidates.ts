/** Stage: puts relevant and new passages before passages that repeat the hits above them. */
import { leaves } from '../model/hit.ts';
import type { QueryType } from '../model/query.ts';
import { neverRising } from '../rank/confidence.ts';
import { cosineShare } from '../rank/lane-scale.ts';
import { cosine } from '../rank/likeness.ts';
import { diversify } from '../rank/variety.ts';
import { type Candidate, changed, type SearchServices, type SearchState } from './state.ts';

/** Number of best candidates that are reordered, however many hits are wanted. */
const REACH = 30;

/** Share of relevance, 0–1; the rest is novelty. A factual query asks for one fact, an exploratory query for several aspects. */
const LAMBDA: Readonly<Record<QueryType, number>> = { factual: 0.9, navigational: 0.8, exploratory: 0.6 };

/**
 * Always reorders the best 30 candidates, so that a request for fewer hits gets the start of the longer list. Then lowers each
 * confidence that is above the confidence of the hit before it.
 */
export async function diversifyCandidates(
  state: SearchState,
  { retrieval }: SearchServices,
): Promise<SearchState> {
  const { candidates, request, queryType } = state;
  const { mmrEnabled, mmrLambda, mmrByQueryType } = request.settings;
  const best = candidates[0]?.fused ?? 0;
  if (!mmrEnabled || best <= 0) return state;
  const lambda = mmrByQueryType ? LAMBDA[queryType] : mmrLambda;
  const pool = candidates.slice(0, REACH);
  const vectors = await retrieval.vectors(pool.map(({ slot }) => slot));
  const vectorOf = new Map(pool.map(({ slot }, index) => [slot, vectors[index]]));
  const relevanceOf = ({ fused }: Candidate) => Math.min(1, Math.max(0, fused / best));
  const similarity = (a: Candidate, b: Candidate) =>
    cosineShare(cosine(vectorOf.get(a.slot), vectorOf.get(b.slot)), state.constants.cosine);
  const chosen = diversify(pool, relevanceOf, similarity, lambda).map((entry): Candidate => {
    const { item, value, relevance, similarity: greatest } = entry;
    const parts = [
      { label: 'fused, as a share of the best', value: relevance, weight: lambda },
      { label: 'greatest similarity to the hits above', value: greatest, weight: lambda - 1 },
    ];
    return request.explain
      ? { ...item, explanation: [...item.explanation, { label: 'MMR', value, parts }] }
      : item;
  });
  const ordered = [...chosen, ...candidates.slice(REACH)];
  const scores = neverRising(ordered.map(({ score }) => score));
  const placed = ordered.map((candidate, index) => {
    const score = scores[index]!;
    return changed(candidate, { score }, request.explain, () => {
      const above = index > 0 && { 'ceiling: the hit above': scores[index - 1]! };
      const parts = leaves({ 'confidence before MMR': candidate.score, ...above });
      return { label: 'confidence after MMR', value: score, parts };
    });
  });
  return { ...state, candidates: placed };
}
