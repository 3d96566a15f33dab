/** The BM25F formula: BM25 over term frequencies that are first weighted and length-normalised per field. */

/** One field of a unit, and how its words are weighted. */
export interface Bm25fField {
  readonly name: string;
  /** 0 or more; 0 leaves the field out. */
  readonly weight: number;
  /** Strength of length normalisation, from 0 (none) to 1 (full). */
  readonly b: number;
}

/** Inverse document frequency of a term: `ln(1 + (N − n + 0.5) / (n + 0.5))`. The term is in `n` of `N` units. Above 0. */
export function inverseUnitFrequency(N: number, n: number): number {
  return Math.log(1 + (N - n + 0.5) / (n + 0.5));
}

/** Weighted frequency of a term in one field: `w · tf / (1 − b + b · length / averageLength)`. */
export function weighFrequency(
  { weight, b }: Bm25fField,
  frequency: number,
  length: number,
  averageLength: number,
): number {
  const share = averageLength > 0 ? length / averageLength : 0;
  return (weight * frequency) / (1 - b + b * share);
}

/**
 * Saturates a term's summed field frequencies: `tf · (k1 + 1) / (tf + k1)`, from 0 to below k1 + 1. (Robertson,
 * Zaragoza and Taylor 2004, "Simple BM25 extension to multiple weighted fields".)
 */
export function saturate(frequency: number, k1: number): number {
  return (frequency * (k1 + 1)) / (frequency + k1);
}
