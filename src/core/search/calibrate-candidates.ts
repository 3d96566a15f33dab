/** Stage: gives each candidate its own confidence, read off its evidence. */
import type { Explanation } from '../model/hit.ts';
import type { RankingConstants } from '../model/ranking-constants.ts';
import type { Calibration, SearchSettings } from '../model/search-settings.ts';
import { type Sigmoid, sigmoid } from '../rank/calibrate.ts';
import { type EvidenceServices, type Judge, judgeByEvidence } from './judge-by-evidence.ts';
import type { Candidate, SearchState } from './state.ts';

/** To add a calibration, add a name to `CALIBRATIONS` and a line here. */
const JUDGES: Readonly<Record<Calibration, (state: SearchState, services: EvidenceServices) => Judge>> = {
  evidence: (state, services) => judgeByEvidence(state, services, bySigmoid(state)),
  sigmoid: bySigmoid,
};

export function calibrateCandidates(state: SearchState, services: EvidenceServices): SearchState {
  const { settings, explain } = state.request;
  const judge = JUDGES[settings.calibration](state, services);
  const candidates = state.candidates.map((candidate) => {
    const score = judge.confidenceOf(candidate);
    if (!explain) return { ...candidate, score };
    return { ...candidate, score, explanation: [judge.explain(candidate), ...candidate.explanation] };
  });
  return { ...state, candidates };
}

/** The curve these settings give under `sigmoid`. */
export function curveOf(settings: SearchSettings, constants: RankingConstants): Sigmoid {
  const fitted = constants.sigmoid[settings.fusion];
  return {
    threshold: settings.scoreCalibrationThreshold ?? fitted.threshold,
    steepness: settings.scoreCalibrationSteepness ?? fitted.steepness,
  };
}

function bySigmoid({ request, constants }: SearchState): Judge {
  const { threshold, steepness } = curveOf(request.settings, constants);
  const confidenceOf = ({ evidence }: Candidate) => sigmoid(evidence, { threshold, steepness });
  const explain = (candidate: Candidate): Explanation => ({
    label: 'sigmoid of the evidence',
    value: confidenceOf(candidate),
    parts: [
      { label: 'evidence', value: candidate.evidence },
      { label: 'threshold', value: threshold },
      { label: 'steepness', value: steepness },
    ],
  });
  return { confidenceOf, explain };
}
