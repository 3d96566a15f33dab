/** Stage: sets apart what is not sure enough, then holds each confidence at that of the hit above. */
import { neverRising } from '../rank/calibrate.ts';
import type { Candidate, SearchState } from './state.ts';

/**
 * A candidate passes by its own confidence. Links, communities and recency may have put an unsure one above it; if
 * that one held it down first, the order would decide which are in the answer.
 */
export function applyThreshold(state: SearchState): SearchState {
  const { minConfidence, explain } = state.request;
  const isSure = ({ score }: Candidate) => score >= minConfidence;
  const unsure = state.candidates.filter((candidate) => !isSure(candidate));
  return { ...state, candidates: holdDown(state.candidates.filter(isSure), explain), unsure };
}

/** The candidates in their order, no confidence above the one before. */
export function holdDown(candidates: readonly Candidate[], explain: boolean): readonly Candidate[] {
  const scores = neverRising(candidates.map(({ score }) => score));
  return candidates.map((candidate, index): Candidate => {
    const score = scores[index]!;
    if (!explain) return score === candidate.score ? candidate : { ...candidate, score };
    const [own, ...rest] = candidate.explanation;
    const ceiling = { label: 'ceiling: the hit above', value: index === 0 ? 1 : scores[index - 1]! };
    const confidence = { label: 'confidence', value: score, parts: [own!, ceiling] };
    return { ...candidate, score, explanation: [confidence, ...rest] };
  });
}
