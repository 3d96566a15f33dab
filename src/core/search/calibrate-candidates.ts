/** Stage: gives each candidate its own confidence, read off its evidence. */

import type { SearchSettings } from '../model/search-settings.ts';
import { type Sigmoid, sigmoid } from '../rank/calibrate.ts';
import type { SearchState } from './state.ts';

/** Fitted on the judged sets for the evidence each fusion gives (docs/explain/scores.md). */
const FITTED: Readonly<Record<SearchSettings['fusion'], Sigmoid>> = {
  convex: { threshold: 0.336, steepness: 7.5 },
  rrf: { threshold: 0.035, steepness: 150 },
};

export function calibrateCandidates(state: SearchState): SearchState {
  const { settings, explain } = state.request;
  const fitted = FITTED[settings.fusion];
  const curve: Sigmoid = {
    threshold: settings.scoreCalibrationThreshold ?? fitted.threshold,
    steepness: settings.scoreCalibrationSteepness ?? fitted.steepness,
  };
  const candidates = state.candidates.map((candidate) => {
    const score = sigmoid(candidate.evidence, curve);
    if (!explain) return { ...candidate, score };
    const own = {
      label: 'sigmoid of the evidence',
      value: score,
      parts: [
        { label: 'evidence', value: candidate.evidence },
        { label: 'threshold', value: curve.threshold },
        { label: 'steepness', value: curve.steepness },
      ],
    };
    return { ...candidate, score, explanation: [own, ...candidate.explanation] };
  });
  return { ...state, candidates };
}
