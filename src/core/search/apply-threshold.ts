/** Stage: drops what is not sure enough, then holds each confidence at that of the hit above. */
import { neverRising } from '../rank/calibrate.ts';
import type { Candidate, SearchState } from './state.ts';

/**
 * A candidate passes by its own confidence. Links, communities and recency may have put an unsure one above it; were it
 * held down to that one's confidence first, what only changes the order would decide who is in the answer.
 */
export function applyThreshold(state: SearchState): SearchState {
  const { minConfidence, explain } = state.request;
  const passed = state.candidates.filter(({ score }) => score >= minConfidence);
  const scores = neverRising(passed.map(({ score }) => score));
  const candidates = passed.map((candidate, index): Candidate => {
    const score = scores[index]!;
    if (!explain) return score === candidate.score ? candidate : { ...candidate, score };
    const [own, ...rest] = candidate.explanation;
    const ceiling = { label: 'ceiling: the hit above', value: index === 0 ? 1 : scores[index - 1]! };
    const confidence = { label: 'confidence', value: score, parts: [own!, ceiling] };
    return { ...candidate, score, explanation: [confidence, ...rest] };
  });
  const nearest = passed.length > 0 ? undefined : surest(state.candidates);
  return { ...state, candidates, ...(nearest && { nearest }) };
}

/** The first of equals. */
function surest([first, ...others]: readonly Candidate[]): Candidate | undefined {
  return first && others.reduce((best, each) => (each.score > best.score ? each : best), first);
}
