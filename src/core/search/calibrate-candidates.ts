/** Stage: gives each candidate its confidence. */

import type { SearchSettings } from '../model/search-settings.ts';
import { neverRising, type Sigmoid, sigmoid } from '../rank/calibrate.ts';
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
  const raw = state.candidates.map((candidate) => sigmoid(candidate.evidence, curve));
  const scores = neverRising(raw);
  const candidates = state.candidates.map((candidate, index) => {
    const score = scores[index]!;
    if (!explain) return { ...candidate, score };
    const confidence = {
      label: 'confidence',
      value: score,
      parts: [
        {
          label: 'sigmoid of the evidence',
          value: raw[index]!,
          parts: [
            { label: 'evidence', value: candidate.evidence },
            { label: 'threshold', value: curve.threshold },
            { label: 'steepness', value: curve.steepness },
          ],
        },
        { label: 'ceiling: the hit above', value: index === 0 ? 1 : scores[index - 1]! },
      ],
    };
    return { ...candidate, score, explanation: [confidence, ...candidate.explanation] };
  });
  return { ...state, candidates };
}
