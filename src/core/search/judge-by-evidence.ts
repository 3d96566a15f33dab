/** Reads confidence off what was observed of a passage: its cosine, the share of the query it matched. */
import type { Explanation } from '../model/hit.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import { type Sigmoid, sigmoid } from '../rank/calibrate.ts';
import { evidenceModelFor, logitParts, type Observed } from '../rank/evidence-model.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** What the model looks at besides the state. */
export type EvidenceServices = Pick<SearchServices, 'model' | 'catalog'>;

type Judge = (candidate: Candidate) => Pick<Explanation, 'label' | 'value' | 'parts'>;

const LABELS: Readonly<Record<keyof Observed, string>> = {
  cosine: 'cosine to the query',
  coverage: 'share of the query’s idf matched',
  words: 'BM25 as a share of its bound',
  length: 'ln(1 + terms of the query)',
  passages: 'ln(1 + passages of the index)',
};

/**
 * The same observations under either fusion and every weight, so that a confidence means one thing.
 * @param otherwise judges where nothing was fitted: by code, by a hypothesis, under another embedding model
 */
export function judgeByEvidence(state: SearchState, services: EvidenceServices, otherwise: Judge): Judge {
  const logitOf = logitsByEvidence(state, services);
  const curve = evidenceCurve(state.request.settings);
  return (candidate) => {
    const logit = logitOf(candidate);
    if (logit === undefined) return otherwise(candidate);
    const { threshold, steepness } = curve;
    return {
      label: 'sigmoid of the logit',
      value: sigmoid(logit.value, curve),
      parts: [logit, { label: 'threshold', value: threshold }, { label: 'steepness', value: steepness }],
    };
  };
}

/** The curve from logit to confidence: the model's own unless judged queries asked for another. */
export function evidenceCurve({ evidenceThreshold, evidenceSteepness }: SearchSettings): Sigmoid {
  return { threshold: evidenceThreshold, steepness: evidenceSteepness };
}

/**
 * The logit of the fitted model with its parts.
 * @returns undefined for a candidate for which no model was fitted
 */
export function logitsByEvidence(
  state: SearchState,
  { model, catalog }: EvidenceServices,
): (candidate: Candidate) => Explanation | undefined {
  const { mode, hypothesis, query } = state.request;
  if (mode === 'code' || hypothesis !== undefined) return () => undefined;
  const semantic = state.rankings.find(({ lane }) => lane === 'semantic');
  const keyword = state.rankings.find(({ lane }) => lane === 'keyword');
  // Of what was typed: names and synonyms that were added make the question no longer.
  const length = Math.log(1 + query.terms.filter(({ standsFor }) => !standsFor).length);
  // All of them: a filter changes no confidence.
  const passages = Math.log(1 + catalog.chunks);

  function observe({ slot }: Candidate): Observed {
    const cosine = semantic?.scoreOf(slot) ?? 0;
    const { coverageOf, scoreOf, bound } = keyword ?? {};
    return {
      // 0 is that of a passage without a vector; no real one is so low.
      ...(cosine !== 0 && { cosine }),
      ...(coverageOf &&
        scoreOf &&
        bound && { coverage: coverageOf(slot), words: Math.min(1, scoreOf(slot) / bound) }),
      length,
      passages,
    };
  }

  return (candidate) => {
    const observed = observe(candidate);
    const fitted = evidenceModelFor(observed, model);
    if (fitted === undefined) return undefined;
    const parts = logitParts(fitted, observed);
    const value = parts.reduce((sum, part) => sum + part.weight * part.value, fitted.intercept);
    const told = parts.map(({ name, ...part }) => ({ label: LABELS[name], ...part }));
    return { label: 'logit', value, parts: [...told, { label: 'intercept', value: fitted.intercept }] };
  };
}
