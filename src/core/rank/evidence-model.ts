/** Confidence as a logistic model over what was observed of a passage, with its fitted coefficients. */

/** What is observed of one passage for one query. */
export interface Observed {
  /** Cosine to the query; absent where the passage or the query has no vector. */
  readonly cosine?: number;
  /** Share of the query's idf that the passage matched, 0–1; absent where words were not looked at. */
  readonly coverage?: number;
  /** BM25 as a share of the most the query could reach, 0–1; present with `coverage`. */
  readonly words?: number;
  /** `ln(1 + number of terms)`: to match all of a long question says more than to match all of one word. */
  readonly length: number;
}

/** Summed with its observations a logit: the confidence is `1 / (1 + e^−logit)`. */
export interface EvidenceModel {
  readonly intercept: number;
  readonly weights: Readonly<Partial<Record<keyof Observed, number>>>;
}

/** Cosines of another model lie elsewhere: the rows that use them hold for this one alone. */
const COSINES_OF = 'bge-small-en-v1.5';

/**
 * Fitted by `node bench/fit-calibration.ts`; cross-validated figures in docs/decisions/0038-evidence.md, which its record
 * in bench/results repeats.
 * Date: 2026-11-22. Sets: anthropic-code, anthropic-docs, cacm, cisi, cjk-pool, cranfield, medline, each with up to 100 of its own
 * queries, with 40 of every set of another subject (no answer), and with its relevant documents removed (no answer).
 */
export const EVIDENCE_MODELS = {
  both: { intercept: -15.52, weights: { cosine: 17.46, coverage: 4.41, length: 0.66 } },
  words: { intercept: -9.64, weights: { coverage: 3.91, words: 9.37, length: 2.27 } },
  meaning: { intercept: -19.79, weights: { cosine: 27.2 } },
} as const satisfies Readonly<Record<string, EvidenceModel>>;

/**
 * The row for what was observed.
 * @param model identity of the embedding model, `name@revision`
 * @returns undefined where none was fitted: cosines of another model, or neither meaning nor words
 */
export function evidenceModelFor(
  { cosine, coverage }: Observed,
  model: string | undefined,
): EvidenceModel | undefined {
  if (cosine === undefined) return coverage === undefined ? undefined : EVIDENCE_MODELS.words;
  if (model?.split('@')[0] !== COSINES_OF) return undefined;
  return coverage === undefined ? EVIDENCE_MODELS.meaning : EVIDENCE_MODELS.both;
}

/** What each observation adds to the logit, in the order of the weights. */
export function logitParts(
  { weights }: EvidenceModel,
  observed: Observed,
): readonly { readonly name: keyof Observed; readonly weight: number; readonly value: number }[] {
  const entries = Object.entries(weights) as [keyof Observed, number][];
  return entries.map(([name, weight]) => ({ name, weight, value: observed[name] ?? 0 }));
}
