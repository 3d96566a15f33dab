/** Similarity of passages to each other, or to the best ones, by their vectors. */

/** Cosine of two unit vectors, at least 0; 0 if a vector is missing or the two have different lengths. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b || a.length !== b.length) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return Math.min(1, Math.max(0, sum));
}

/** Returns the mean of unit vectors, or undefined without vectors. The mean is longer if the vectors are more similar. */
export function centroid(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first, ...rest] = vectors;
  if (first === undefined) return undefined;
  const sum = Float32Array.from(first);
  for (const vector of rest) for (let i = 0; i < sum.length; i += 1) sum[i]! += vector[i]!;
  return sum.map((component) => component / vectors.length);
}
