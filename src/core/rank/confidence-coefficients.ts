/**
 * The coefficients of confidence, written by `node bench/fit-calibration.ts`: do not edit.
 *
 * Date: 2026-11-22. Sets: anthropic-code, anthropic-docs, cacm, cisi, cjk-pool, cranfield, medline.
 * Each set is used whole, and again cut down to 64 and to 8 documents. A set is searched with up to 100 of its own queries, and
 * with two kinds of queries that it does not answer: its own queries after removal of their relevant documents (“answers
 * removed”), and queries of sets about another subject, 40 of each (“foreign queries”).
 * Each figure is the mean of the whole sets, then the worst of them in brackets. A set is judged by coefficients fitted to the
 * other sets. AUC is the area under the ROC curve. The coefficients `both` are for cosine and words, `words` for words
 * alone, `meaning` for the cosine alone.
 * both: AUC with foreign queries .984 (.911); AUC with answers removed .715 (.572); AUC of relevant best hits .948 (.880); calibration error .092 (.195).
 * words: AUC with foreign queries .970 (.879); AUC with answers removed .687 (.553); AUC of relevant best hits .938 (.887); calibration error .132 (.286).
 * meaning: AUC with foreign queries .981 (.907); AUC with answers removed .662 (.573); AUC of relevant best hits .938 (.884); calibration error .117 (.170).
 */
export const COEFFICIENTS = {
  both: { intercept: -11.56, weights: { cosine: 17.82, words: 6.64, passages: -0.49 } },
  words: { intercept: -1.91, weights: { words: 12.74, passages: -0.48 } },
  meaning: { intercept: -17.69, weights: { cosine: 29.27, passages: -0.49 } },
} as const;
