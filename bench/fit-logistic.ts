/** Logistic regression with several variables, for confidence models. */

export interface LogisticExample {
  readonly values: readonly number[];
  /** The observed result: 0, 1, or a probability between. */
  readonly label: number;
  /** Weight of the example, above 0. @default 1 */
  readonly weight?: number;
}

export interface LogisticFit {
  readonly intercept: number;
  /** One weight per value. */
  readonly weights: readonly number[];
}

const STEPS = 30;
/** Regularisation. Keeps the solution finite if the two classes are separable; too small to affect a thousand examples. */
const RIDGE = 1e-3;

/**
 * Maximum likelihood by Newton's method, which converges in a few steps.
 * @param examples at least one of each class, all with the same number of values
 */
export function fitLogistic(examples: readonly LogisticExample[]): LogisticFit {
  const size = (examples[0]?.values.length ?? 0) + 1;
  const rows = examples.map(({ values }) => [...values, 1]);
  let beta = Array.from({ length: size }, () => 0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = beta.map((value) => RIDGE * value);
    const hessian = beta.map((_, i) => beta.map((__, j) => (i === j ? RIDGE : 0)));
    for (const [index, { label, weight = 1 }] of examples.entries()) {
      const row = rows[index]!;
      const p = 1 / (1 + Math.exp(-dot(row, beta)));
      for (let i = 0; i < size; i++) {
        gradient[i]! += weight * (p - label) * row[i]!;
        for (let j = 0; j < size; j++) hessian[i]![j]! += weight * p * (1 - p) * row[i]! * row[j]!;
      }
    }
    const change = solve(hessian, gradient);
    beta = beta.map((value, i) => value - change[i]!);
  }
  return { intercept: beta.at(-1)!, weights: beta.slice(0, -1) };
}

/** Solves linear equations by Gaussian elimination with pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index]!]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row) => (Math.abs(row[column]!) > Math.abs(best[column]!) ? row : best));
    const at = rows.indexOf(pivot);
    [rows[column], rows[at]] = [rows[at]!, rows[column]!];
    for (let below = column + 1; below < size; below++) {
      const factor = rows[below]![column]! / pivot[column]!;
      for (let i = column; i <= size; i++) rows[below]![i]! -= factor * pivot[i]!;
    }
  }
  const solution = Array.from({ length: size }, () => 0);
  for (let row = size - 1; row >= 0; row--) {
    const known = dot(rows[row]!.slice(row + 1, size), solution.slice(row + 1));
    solution[row] = (rows[row]![size]! - known) / rows[row]![row]!;
  }
  return solution;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
