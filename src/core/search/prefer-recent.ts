/** Stage: lifts candidates of newer documents. */
import { ageInDays, recencyFactor } from '../rank/recency.ts';
import { bestFirst, type Candidate, type SearchState } from './state.ts';

/** Changes the order only: a new document is not stronger evidence, so confidence stays what it is. */
export function preferRecent(state: SearchState): SearchState {
  const { settings, now, explain } = state.request;
  if (settings.recencyBias === 0) return state;
  let moved = false;
  const candidates = state.candidates.map((candidate): Candidate => {
    const modified = state.found.modified[candidate.place]!;
    const factor = recencyFactor(modified, now, settings.recencyBias);
    if (factor === 1 && !explain) return candidate;
    const fused = candidate.fused * factor;
    moved ||= factor !== 1;
    if (!explain) return { ...candidate, fused };
    const order = {
      label: 'fused × recency',
      value: fused,
      parts: [
        { label: 'fused', value: candidate.fused },
        {
          label: 'recency',
          value: factor,
          parts: [
            { label: 'age in days', value: ageInDays(modified, now) },
            { label: 'recency bias', value: settings.recencyBias },
          ],
        },
      ],
    };
    return { ...candidate, fused, explanation: [order, ...candidate.explanation] };
  });
  if (moved) candidates.sort(bestFirst);
  return { ...state, candidates };
}
