/** The BM25F formula: BM25 over term frequencies that are first weighted and length-normalised per field. */
/** One field of a unit and what its words count. */
export interface Bm25fField {
  readonly name: string;
  /** 0 or more; 0 leaves the field out. */
  readonly weight: number;
  /** Length normalisation: 0 none, 1 in full proportion. */
  readonly b: number;
}

/**
 * Inverse document frequency of a term: `ln(1 + (N − n + 0.5) / (n + 0.5))` for `n` of `N` units that hold
 * it; above 0.
 */
export function inverseUnitFrequency(N: number, n: number): number {
  return Math.log(1 + (N - n + 0.5) / (n + 0.5));
}

/** `w · tf / (1 − b + b · length / averageLength)`: what the occurrences in one field count. */
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
 * `tf · (k1 + 1) / (tf + k1)`, from 0 up to but never reaching k1 + 1, of a term's summed field frequencies.
 * (Robertson, Zaragoza and Taylor 2004, "Simple BM25 extension to multiple weighted fields".)
 */
export function saturate(frequency: number, k1: number): number {
  return (frequency * (k1 + 1)) / (frequency + k1);
}
