/** Stage: puts what is relevant and new before what repeats the hits above it. */
import type { Explanation } from '../model/hit.ts';
import type { QueryType } from '../model/query.ts';
import { neverRising } from '../rank/calibrate.ts';
import { type Diversified, diversify } from '../rank/diversify.ts';
import { cosineShare } from '../rank/lane-scale.ts';
import { cosine } from '../rank/likeness.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** Passages to choose from, however many hits are wanted. */
const REACH = 30;

/** A factual query wants one thing; an exploratory one wants its different sides. */
const LAMBDA: Readonly<Record<QueryType, number>> = { factual: 0.9, navigational: 0.8, exploratory: 0.6 };

/**
 * Chooses among the best 30 candidates, however few hits are wanted, so that a longer answer begins like a shorter
 * one. Confidence must not rise down the list: a hit's is at most that of the hit now above it.
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
  const chosen = diversify(pool, relevanceOf, similarity, lambda).map((entry) =>
    request.explain
      ? { ...entry.item, explanation: [...entry.item.explanation, explain(entry, lambda)] }
      : entry.item,
  );
  const ordered = [...chosen, ...candidates.slice(REACH)];
  const scores = neverRising(ordered.map(({ score }) => score));
  const placed = ordered.map((candidate, index): Candidate => {
    const score = scores[index]!;
    if (!request.explain) return { ...candidate, score };
    const confidence = explainPlace(score, candidate.score, index === 0 ? 1 : scores[index - 1]!);
    return { ...candidate, score, explanation: [confidence, ...candidate.explanation] };
  });
  return { ...state, candidates: placed };
}

/** The smaller of the two parts. */
function explainPlace(value: number, own: number, ceiling: number): Explanation {
  const parts = [
    { label: 'confidence before MMR', value: own },
    { label: 'ceiling: the hit above', value: ceiling },
  ];
  return { label: 'confidence of its place', value, parts };
}

function explain({ value, relevance, similarity }: Diversified<Candidate>, lambda: number): Explanation {
  const parts = [
    { label: 'fused, of the best', value: relevance, weight: lambda },
    { label: 'greatest similarity to the hits above', value: similarity, weight: lambda - 1 },
  ];
  return { label: 'MMR', value, parts };
}
