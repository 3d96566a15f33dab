/**
 * Stages that lift candidates because of similar passages, linked documents or their date. Such facts say which passage to show
 * first, not whether it holds an answer: the order changes, but confidence does not.
 */
import { type Explanation, leaves } from '../model/hit.ts';
import { questionLength } from '../query/terms.ts';
import { COSINE_SCALE } from '../rank/lane-scale.ts';
import { centroid, cosine } from '../rank/likeness.ts';
import { ageInDays, recencyFactor } from '../rank/recency.ts';
import { bestFirst, type Candidate, changed, type SearchServices, type SearchState } from './state.ts';

/**
 * Pseudo-relevance feedback: lifts candidates that are similar to the best ones, because the best ones show what kind of text the
 * answer is (Rocchio 1971, "Relevance Feedback in Information Retrieval"). Similarities are scaled like the scores of the semantic
 * lane. New score: `(fused + weight · likeness) / (1 + weight)`. The weight is smaller if links reach more of the candidates.
 */
export async function pseudoRelevanceFeedback(
  state: SearchState,
  { retrieval }: SearchServices,
): Promise<SearchState> {
  const { settings, explain } = state.request;
  const { feedback, cosine: scaling } = state.constants;
  const { semantic, graph } = state.found.lanes;
  const pool = state.candidates.slice(0, feedback.pool);
  const reached = pool.filter(({ place }) => graph && graph.scores[place]! > 0);
  const linked = reached.length / Math.max(1, pool.length);
  const weight = settings.feedbackWeight * Math.max(0, 1 - linked / feedback.linked);
  if (weight === 0 || settings.fusion === 'rrf' || semantic === undefined) return state;
  const vectors = await retrieval.vectors(pool.map(({ slot }) => slot));
  const best = vectors.slice(0, feedbackPassages(state)).filter((vector) => vector !== undefined);
  const mean = centroid(best);
  if (mean === undefined) return state;
  const cosines = Float64Array.from(vectors, (vector) => cosine(vector, mean));
  const scale = { median: semantic.median ?? 0, best: Math.max(...cosines) };
  const { relative } = COSINE_SCALE.apply({ scores: cosines, ...scale }, scaling);
  const faded: Explanation = {
    // Not part of the sum: the weights of the two other parts are derived from it.
    label: 'weight of likeness',
    value: weight,
    parts: leaves({
      'weight by settings': settings.feedbackWeight,
      'share of linked candidates': linked,
      'share at which the weight is 0': feedback.linked,
    }),
  };
  const candidates = state.candidates.map((candidate, index) => {
    const likeness = relative[index] ?? 0;
    const fused = (candidate.fused + weight * likeness) / (1 + weight);
    return changed(candidate, { fused }, explain, () => {
      const measured = leaves({
        'cosine to the mean of the best': cosines[index] ?? scale.median,
        'best passages in the mean': best.length,
        'median of all passages': scale.median,
        'best of this query': scale.best,
        'minimum span': scaling.minSpan,
      });
      const parts = [
        { label: 'fused', value: candidate.fused, weight: 1 / (1 + weight) },
        { label: 'likeness to the best', value: likeness, weight: weight / (1 + weight), parts: measured },
        faded,
      ];
      return { label: 'fused + likeness', value: fused, parts };
    });
  });
  return { ...state, candidates: candidates.sort(bestFirst) };
}

/**
 * Returns the number of feedback passages. It is larger for a long query, because two passages seldom cover all its aspects. If
 * the keyword lane has no weight, the number is the same for all queries.
 */
function feedbackPassages({ request, constants, weights }: SearchState): number {
  const { passages, wordsEach, maxPassages } = constants.feedback;
  if (!weights.fusion.keyword) return passages;
  return Math.min(maxPassages, Math.max(passages, Math.floor(questionLength(request.query) / wordsEach)));
}

/**
 * Finds the communities of the best documents, and multiplies the fused scores of the other documents in these communities.
 * A community is a group of documents with many links between them.
 */
export function boostCommunities(state: SearchState): SearchState {
  const { settings, explain, mode } = state.request;
  const factor = settings.communityBoostFactor;
  const of = state.found.communities;
  if (!settings.communityDetectionEnabled || factor === 1 || mode !== 'hybrid' || !of) return state;
  const seeds = new Set<number>();
  const communities = new Set<number>();
  for (const { document, place } of state.candidates) {
    if (seeds.size === state.constants.communitySeeds) break;
    seeds.add(document);
    const community = of[place];
    if (community !== undefined) communities.add(community);
  }
  if (communities.size === 0) return state;
  const candidates = state.candidates.map((candidate): Candidate => {
    const community = of[candidate.place];
    if (community === undefined || seeds.has(candidate.document) || !communities.has(community))
      return candidate;
    const fused = candidate.fused * factor;
    return changed(candidate, { fused }, explain, () => {
      const parts = leaves({ fused: candidate.fused, community: factor });
      return { label: 'fused × community', value: fused, parts };
    });
  });
  return { ...state, candidates: candidates.sort(bestFirst) };
}

/** Lifts candidates of newer documents. */
export function preferRecent(state: SearchState): SearchState {
  const { settings, now, explain } = state.request;
  const bias = settings.recencyBias;
  if (bias === 0) return state;
  const candidates = state.candidates.map((candidate): Candidate => {
    const modified = state.found.modified[candidate.place]!;
    const factor = recencyFactor(modified, now, bias);
    if (factor === 1 && !explain) return candidate;
    const fused = candidate.fused * factor;
    return changed(candidate, { fused }, explain, () => {
      const parts = leaves({ 'age in days': ageInDays(modified, now), 'recency bias': bias });
      const recency = { label: 'recency', value: factor, parts };
      const before = { label: 'fused', value: candidate.fused };
      return { label: 'fused × recency', value: fused, parts: [before, recency] };
    });
  });
  return { ...state, candidates: candidates.sort(bestFirst) };
}
