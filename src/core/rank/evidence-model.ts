/** Confidence as a logistic model over what was observed of a passage, with its fitted coefficients. */

/** What is observed of one passage for one query. */
export interface Observed {
  /** Cosine to the query; absent where the passage or the query has no vector. */
  readonly cosine?: number | undefined;
  /** Share of the query's idf that the passage matched, 0–1; absent where words were not looked at. */
  readonly coverage?: number | undefined;
  /** BM25 as a share of the most the query could reach, 0–1; present with `coverage`. */
  readonly words?: number | undefined;
  /** `ln(1 + number of terms)`: to match all of a long question says more than to match all of one word. */
  readonly length: number;
  /** `ln(1 + passages)` of the index: the nearest of many unrelated passages is nearer than that of few. */
  readonly passages: number;
}

/** Summed with its observations a logit: the confidence is `1 / (1 + e^−logit)`. */
export interface EvidenceModel {
  readonly intercept: number;
  readonly weights: Readonly<Partial<Record<keyof Observed, number>>>;
}

/** Cosines of another model lie elsewhere: the rows that use them hold for this one alone. */
const COSINES_OF = /^bge-small-en-v1\.5(?:@|$)/;

/**
 * Fitted by `node bench/fit-calibration.ts`; cross-validated figures in docs/decisions/0051-evidence-by-size.md, which its record
 * in bench/results repeats: hybrid, whole sets, area .981 against foreign queries, .943 for a relevant best hit, calibration error .094.
 * Date: 2026-11-22. Sets: anthropic-code, anthropic-docs, cacm, cisi, cjk-pool, cranfield, medline, each with up to 100 of its own
 * queries, with 40 of every set of another subject (no answer), and with its relevant documents removed (no answer);
 * the rows with cosines also with each set cut down to 64 and to 8 documents.
 */
export const EVIDENCE_MODELS = {
  both: { intercept: -13.61, weights: { cosine: 20.22, coverage: 4.99, length: 0.38, passages: -0.46 } },
  words: { intercept: -9.82, weights: { coverage: 4.54, words: 8.56, length: 2.32 } },
  meaning: { intercept: -17.69, weights: { cosine: 29.27, passages: -0.49 } },
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
  if (model === undefined || !COSINES_OF.test(model)) return undefined;
  return coverage === undefined ? EVIDENCE_MODELS.meaning : EVIDENCE_MODELS.both;
}

/** `intercept + Σ weight · observation`. */
export function modelLogit({ intercept, weights }: EvidenceModel, observed: Observed): number {
  let sum = intercept;
  // Asked of hundreds of candidates, so no list is made of the weights.
  for (const name in weights) {
    const key = name as keyof Observed;
    sum += weights[key]! * (observed[key] ?? 0);
  }
  return sum;
}

/** What each observation adds to the logit, in the order of the weights. */
export function logitParts(
  { weights }: EvidenceModel,
  observed: Observed,
): readonly { readonly name: keyof Observed; readonly weight: number; readonly value: number }[] {
  const entries = Object.entries(weights) as [keyof Observed, number][];
  return entries.map(([name, weight]) => ({ name, weight, value: observed[name] ?? 0 }));
}
