/** The confidence model: a logistic model over the features of a passage. */
import { COEFFICIENTS } from './confidence-coefficients.ts';

export interface Features {
  /** Cosine to the query; absent where the passage or the query has no vector. */
  readonly cosine?: number | undefined;
  /** How much of the query's words the passage has (`wordsFound`); absent if words were not compared. */
  readonly words?: number | undefined;
  /** Whether the passage has every word of the query; absent if words were not compared. */
  readonly complete?: boolean | undefined;
  /** `ln(1 + passages)` of the index. In a large index, an unrelated passage can be close to the query by chance. */
  readonly passages: number;
}

/**
 * Returns how much of the query's words a passage has, 0 or more. The same share gives more if the query has more terms:
 * a passage never has a large part of a long query by chance. docs/decisions/0056-words-by-length.md says why the
 * formula has a cube root.
 * @param share BM25 of the passage divided by the largest score the query could reach, 0–1
 * @param terms number of query terms, as typed
 */
export function wordsFound(share: number, terms: number): number {
  return Math.log(1 + Math.cbrt(terms) * share);
}

export type WeighedFeature = Exclude<keyof Features, 'complete'>;

/** Weights of the features. The weighted sum is a logit: confidence is `1 / (1 + e^−logit)`. */
export interface ConfidenceModel {
  readonly intercept: number;
  readonly weights: Readonly<Partial<Record<WeighedFeature, number>>>;
}

/** The embedding model whose cosines the coefficients were fitted to. Other models give other cosines. */
const FITTED_EMBEDDER = /^bge-small-en-v1\.5(?:@|$)/;

const MODELS: Readonly<Record<'both' | 'words' | 'meaning', ConfidenceModel>> = COEFFICIENTS;

/** Suffix of the identity of an embedder that moves vectors of questions away from the mean of 34 fixed questions (decision 84). */
export const MOVED = ' moved';

/**
 * Coefficients for questions whose vectors were moved (see `MOVED`). Fitted by hand to first hits in
 * `test/quality/bilingual`: of 30 questions in five languages (half of the set), and of the 34 fixed questions, which the
 * documents of the set do not answer. The cosine hardly separates right hits from wrong ones.
 */
const MOVED_MODEL: ConfidenceModel = { intercept: -8.36, weights: { cosine: 12.73 } };

/**
 * Chooses the coefficients for these features. If a passage contains every word of the query, the coefficients for words alone are
 * used when they give more confidence: the query may be a name, and embedding models know little about names.
 * @param embedder identity of the embedding model, `name@revision`
 * @returns undefined if there are no coefficients: the cosine comes from an embedding model without coefficients, or cosine and
 *   words are both absent
 */
export function chooseModel(features: Features, embedder: string | undefined): ConfidenceModel | undefined {
  const { cosine, words, complete } = features;
  if (cosine === undefined) return words === undefined ? undefined : MODELS.words;
  const isMoved = embedder?.endsWith(MOVED);
  if (embedder === undefined || !(isMoved || FITTED_EMBEDDER.test(embedder))) return undefined;
  const fitted = isMoved ? MOVED_MODEL : words === undefined ? MODELS.meaning : MODELS.both;
  const byWords = complete && modelLogit(MODELS.words, features) > modelLogit(fitted, features);
  return byWords ? MODELS.words : fitted;
}

/** Returns the logit, `intercept + Σ weight · feature`. */
export function modelLogit({ intercept, weights }: ConfidenceModel, features: Features): number {
  let sum = intercept;
  // Called for hundreds of candidates, so it allocates no list of weights.
  for (const name in weights) {
    const key = name as WeighedFeature;
    sum += weights[key]! * (features[key] ?? 0);
  }
  return sum;
}

/** Returns the weighted features of the sum in `modelLogit`, in the order of the weights. */
export function logitParts(
  { weights }: ConfidenceModel,
  features: Features,
): readonly { readonly name: WeighedFeature; readonly weight: number; readonly value: number }[] {
  const entries = Object.entries(weights) as [WeighedFeature, number][];
  return entries.map(([name, weight]) => ({ name, weight, value: features[name] ?? 0 }));
}
