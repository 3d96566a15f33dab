/** Reads confidence off what was observed of a passage: its cosine, the share of the query it matched. */
import type { Explanation } from '../model/hit.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import { type Sigmoid, sigmoid } from '../rank/calibrate.ts';
import {
  evidenceModelFor,
  logitParts,
  modelLogit,
  type Observation,
  type Observed,
  wordsFound,
} from '../rank/evidence-model.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** What the model looks at besides the state. */
export type EvidenceServices = Pick<SearchServices, 'model'>;

/** Confidence, 0–1, as a number, and as a tree of what it is made of. */
export interface Judge {
  readonly confidenceOf: (candidate: Candidate) => number;
  readonly explain: (candidate: Candidate) => Explanation;
}

const LABELS: Readonly<Record<Observation, string>> = {
  cosine: 'cosine to the query',
  words: 'ln(1 + ∛terms of the query · share of BM25)',
  passages: 'ln(1 + passages of the index)',
};

/** Rounding: a coverage of 1 divides a sum of idf by the same sum in another order. */
const ROUNDING = 1e-9;

/**
 * The same observations under either fusion and every weight, so that a confidence means one thing.
 * @param otherwise judges where nothing was fitted: by code, by a hypothesis, under another embedding model
 */
export function judgeByEvidence(state: SearchState, services: EvidenceServices, otherwise: Judge): Judge {
  const logits = logitsByEvidence(state, services);
  const curve = evidenceCurve(state.request.settings);
  return {
    confidenceOf(candidate) {
      const logit = logits.logitOf(candidate);
      return logit === undefined ? otherwise.confidenceOf(candidate) : sigmoid(logit, curve);
    },
    explain(candidate) {
      const logit = logits.explain(candidate);
      if (logit === undefined) return otherwise.explain(candidate);
      const { threshold, steepness } = curve;
      return {
        label: 'sigmoid of the logit',
        value: sigmoid(logit.value, curve),
        parts: [logit, { label: 'threshold', value: threshold }, { label: 'steepness', value: steepness }],
      };
    },
  };
}

/** The curve from logit to confidence: the model's own unless judged queries asked for another. */
export function evidenceCurve({ evidenceThreshold, evidenceSteepness }: SearchSettings): Sigmoid {
  return { threshold: evidenceThreshold, steepness: evidenceSteepness };
}

/** Logits of the fitted model; undefined for a candidate for which none was fitted. */
export interface Logits {
  readonly logitOf: (candidate: Candidate) => number | undefined;
  readonly explain: (candidate: Candidate) => Explanation | undefined;
}

export function logitsByEvidence(state: SearchState, { model }: EvidenceServices): Logits {
  const { mode, hypothesis } = state.request;
  const isFitted = mode !== 'code' && hypothesis === undefined;
  const { observe, explainWords } = observeCandidates(state);
  const modelFor = (observed: Observed) => (isFitted ? evidenceModelFor(observed, model) : undefined);

  return {
    logitOf(candidate) {
      const observed = observe(candidate);
      const fitted = modelFor(observed);
      return fitted && modelLogit(fitted, observed);
    },
    explain(candidate) {
      const observed = observe(candidate);
      const fitted = modelFor(observed);
      if (fitted === undefined) return undefined;
      const parts = logitParts(fitted, observed).map(({ name, ...part }) => ({
        label: LABELS[name],
        ...part,
        ...(name === 'words' && { parts: explainWords(candidate) }),
      }));
      const intercept = { label: 'intercept', value: fitted.intercept };
      return { label: 'logit', value: modelLogit(fitted, observed), parts: [...parts, intercept] };
    },
  };
}

/** What there is to observe of a query's candidates, whether a model was fitted for them or not. */
export interface Observer {
  readonly observe: (candidate: Candidate) => Observed;
  /** The parts of a candidate's `words`. */
  readonly explainWords: (candidate: Candidate) => readonly Explanation[];
}

export function observeCandidates({ found, request: { query } }: SearchState): Observer {
  const { semantic, keyword, coverage } = found.lanes;
  const bound = keyword?.bound;
  const shareOf = bound ? ({ place }: Candidate) => Math.min(1, keyword.scores[place]! / bound) : undefined;
  // Counts typed words only: added names and synonyms do not make the question longer.
  const terms = query.terms.filter(({ standsFor }) => !standsFor).length;
  // All of them: a filter changes no confidence.
  const passages = Math.log(1 + found.total);
  return {
    observe(candidate) {
      const { place } = candidate;
      // 0 is that of a passage without a vector; no real one is so low.
      const cosine = semantic?.scores[place] || undefined;
      const words = shareOf && wordsFound(shareOf(candidate), terms);
      return { cosine, words, complete: coverage && coverage.scores[place]! > 1 - ROUNDING, passages };
    },
    explainWords(candidate) {
      return [
        { label: 'terms of the query', value: terms },
        { label: 'BM25 as a share of its bound', value: shareOf?.(candidate) ?? 0 },
      ];
    },
  };
}
