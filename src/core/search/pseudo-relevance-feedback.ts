/** Stage: lifts what resembles the best candidates, for they show what kind of text the answer is. */
import type { LaneFound } from '../model/candidates.ts';
import type { Explanation } from '../model/hit.ts';
import { questionLength } from '../query/question-length.ts';
import { centroid, cosine, type LikenessScale, likenessShare } from '../rank/likeness.ts';
import { bestFirst, type Candidate, type SearchServices, type SearchState } from './state.ts';

/**
 * `(fused + weight · likeness) / (1 + weight)`. Changes the order only: to resemble a passage is no evidence of holding
 * the answer, so confidence stays what it is. The weight fades with the share of candidates that links reach.
 */
export async function pseudoRelevanceFeedback(
  state: SearchState,
  { retrieval }: SearchServices,
): Promise<SearchState> {
  const { settings, explain } = state.request;
  const { feedback, cosine: scaling } = state.constants;
  const { semantic, graph } = state.found.lanes;
  const pool = state.candidates.slice(0, feedback.pool);
  const linked = linkedShare(pool, graph);
  const weight = settings.feedbackWeight * Math.max(0, 1 - linked / feedback.linked);
  if (weight === 0 || settings.fusion === 'rrf' || semantic === undefined) return state;
  const vectors = await retrieval.vectors(pool.map(({ slot }) => slot));
  const models = vectors.slice(0, modelCount(state)).filter((vector) => vector !== undefined);
  const model = centroid(models);
  if (model === undefined) return state;
  const cosines = vectors.map((vector) => (vector === undefined ? 0 : cosine(vector, model)));
  const { minSpan } = scaling;
  const scale = { median: semantic.median ?? 0, best: Math.max(...cosines), minSpan };
  const candidates = state.candidates.map((candidate, index): Candidate => {
    const likeness = index < feedback.pool ? likenessShare(cosines[index]!, scale) : 0;
    const fused = (candidate.fused + weight * likeness) / (1 + weight);
    if (!explain) return { ...candidate, fused };
    const faded = explainWeight(weight, settings.feedbackWeight, linked, feedback.linked);
    const order = explainOrder(candidate.fused, fused, faded, likeness, cosines[index], models.length, scale);
    return { ...candidate, fused, explanation: [order, ...candidate.explanation] };
  });
  candidates.sort(bestFirst);
  return { ...state, candidates };
}

/** Two passages seldom cover all sides of a long question; further ones are used if words chose them, too. */
function modelCount({ request, constants, weights }: SearchState): number {
  const { models, wordsEach, maxModels } = constants.feedback;
  if (!weights.fusion.keyword) return models;
  return Math.min(maxModels, Math.max(models, Math.floor(questionLength(request.query) / wordsEach)));
}

function linkedShare(pool: readonly Candidate[], graph: LaneFound | undefined): number {
  if (graph === undefined) return 0;
  return pool.filter(({ place }) => graph.scores[place]! > 0).length / Math.max(1, pool.length);
}

/** Not part of the sum: both weights are derived from it. */
function explainWeight(value: number, set: number, linked: number, most: number): Explanation {
  const parts = [
    { label: 'weight set', value: set },
    { label: 'share of linked candidates', value: linked },
    { label: 'share from which it is 0', value: most },
  ];
  return { label: 'weight of likeness', value, parts };
}

function explainOrder(
  before: number,
  after: number,
  faded: Explanation,
  likeness: number,
  measured: number | undefined,
  models: number,
  { median, best, minSpan }: LikenessScale,
): Explanation {
  const weight = faded.value;
  const parts = [
    { label: 'cosine to the mean of the best', value: measured ?? median },
    { label: 'best passages in the mean', value: models },
    { label: 'median of all chunks', value: median },
    { label: 'best of this query', value: best },
    { label: 'least span', value: minSpan },
  ];
  return {
    label: 'fused + likeness',
    value: after,
    parts: [
      { label: 'fused', value: before, weight: 1 / (1 + weight) },
      { label: 'likeness to the best', value: likeness, weight: weight / (1 + weight), parts },
      faded,
    ],
  };
}
