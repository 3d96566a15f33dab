/** Likeness of two passages by their vectors. */

/** Cosine of two unit vectors, at least 0; 0 when one is missing or they come from different models. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b || a.length !== b.length) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return Math.min(1, Math.max(0, sum));
}
