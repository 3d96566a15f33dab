/** Stage: gives each candidate its own confidence, by the confidence model or by a sigmoid of its absolute score. */
import { type Explanation, leaves } from '../model/hit.ts';
import type { QueryTerm } from '../model/query.ts';
import type { RankingConstants } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import { type Sigmoid, sigmoid } from '../rank/confidence.ts';
import {
  chooseModel,
  type Features,
  logitParts,
  modelLogit,
  type WeighedFeature,
  wordsFound,
} from '../rank/confidence-model.ts';
import { isWhole } from '../rank/lane-scale.ts';
import { ABSOLUTE_SCORE, type Candidate, changed, type SearchServices, type SearchState } from './state.ts';

/**
 * Computes confidence by the confidence model if it has coefficients for the candidate (see `chooseModel`), else from the
 * absolute score. Code search, a hypothesis and `calibration = "sigmoid"` always use the absolute score. The features of the
 * confidence model do not depend on fusion or weights, so a confidence means the same in every search.
 */
export function calibrateCandidates(
  state: SearchState,
  services: Pick<SearchServices, 'model'>,
): SearchState {
  const { settings, explain } = state.request;
  const logits = settings.calibration === 'evidence' ? logitsOf(state, services) : undefined;
  const candidates = state.candidates.map((candidate) => {
    const logit = logits?.logitOf(candidate);
    const curve = logit === undefined ? curveOf(settings, state.constants) : logitCurve(settings);
    const score = sigmoid(logit ?? candidate.absolute, curve);
    return changed(candidate, { score }, explain, () => {
      const told = logits?.explain(candidate) ?? { label: ABSOLUTE_SCORE, value: candidate.absolute };
      const parts = [told, ...leaves({ threshold: curve.threshold, steepness: curve.steepness })];
      return { label: `sigmoid of the ${told.label}`, value: score, parts };
    });
  });
  return { ...state, candidates };
}

/** Returns the curve from absolute score to confidence: the values of the settings, or the fitted values of the fusion in use. */
export function curveOf(settings: SearchSettings, constants: RankingConstants): Sigmoid {
  const fitted = constants.sigmoid[settings.fusion];
  return {
    threshold: settings.scoreCalibrationThreshold ?? fitted.threshold,
    steepness: settings.scoreCalibrationSteepness ?? fitted.steepness,
  };
}

/** Returns the curve from logit to confidence. The default threshold 0 and steepness 1 keep the model's probability. */
export function logitCurve({ evidenceThreshold, evidenceSteepness }: SearchSettings): Sigmoid {
  return { threshold: evidenceThreshold, steepness: evidenceSteepness };
}

const LABELS: Readonly<Record<WeighedFeature, string>> = {
  cosine: 'cosine to the query',
  words: 'ln(1 + ∛terms of the query · share of BM25)',
  passages: 'ln(1 + passages of the index)',
};

/**
 * Returns two functions: one computes the logit that the confidence model gives a candidate, the other explains this logit.
 * Both return undefined if no model was fitted for the candidate.
 */
export function logitsOf(state: SearchState, { model }: Pick<SearchServices, 'model'>) {
  const { mode, hypothesis } = state.request;
  const isFitted = mode !== 'code' && hypothesis === undefined;
  const { featuresOf, explainWords } = featuresIn(state);
  const modelFor = (features: Features) => (isFitted ? chooseModel(features, model) : undefined);
  return {
    logitOf(candidate: Candidate): number | undefined {
      const features = featuresOf(candidate);
      const fitted = modelFor(features);
      return fitted && modelLogit(fitted, features);
    },
    explain(candidate: Candidate): Explanation | undefined {
      const features = featuresOf(candidate);
      const fitted = modelFor(features);
      if (fitted === undefined) return undefined;
      const parts = logitParts(fitted, features).map(({ name, ...part }) => ({
        label: LABELS[name],
        ...part,
        ...(name === 'words' && { parts: explainWords(candidate) }),
      }));
      const intercept = { label: 'intercept', value: fitted.intercept };
      return { label: 'logit', value: modelLogit(fitted, features), parts: [...parts, intercept] };
    },
  };
}

/**
 * Whether a term is no stop word, or stands in a phrase that passages hold.
 * @param relaxed whether some phrase of the query is in no passage
 */
export function saysSomething({ stopWord }: QueryTerm, relaxed: boolean): boolean {
  return !stopWord || (stopWord === 'quoted' && !relaxed);
}

/** Returns functions for the confidence features of a candidate. They do not check whether a model was fitted. */
export function featuresIn({ found, request: { query } }: SearchState) {
  const { semantic, keyword, coverage } = found.lanes;
  const bound = keyword?.bound;
  const shareOf = bound ? ({ place }: Candidate) => Math.min(1, keyword.scores[place]! / bound) : undefined;
  // Counts only typed terms: added names and synonyms do not make the question longer.
  const terms = query.terms.filter((term) => !term.standsFor && saysSomething(term, found.relaxed)).length;
  // Counts all passages, including those that a filter removes: a filter must not change confidence.
  const passages = Math.log(1 + found.total);
  return {
    featuresOf(candidate: Candidate): Features {
      // A passage is close to stop words by chance, and often has them all.
      if (terms === 0) return { words: 0, passages };
      const { place } = candidate;
      // 0 means that the passage has no vector: cosines of two texts are above 0 in practice.
      const cosine = semantic?.scores[place] || undefined;
      const words = shareOf && wordsFound(shareOf(candidate), terms);
      return { cosine, words, complete: coverage && isWhole(coverage.scores[place]!), passages };
    },
    /** Explains the feature `words` of a candidate. */
    explainWords: (candidate: Candidate) =>
      leaves({
        'terms of the query': terms,
        'BM25 as a share of its upper bound': shareOf?.(candidate) ?? 0,
      }),
  };
}
