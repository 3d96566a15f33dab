import { expect, test } from 'vitest';
import { fitLogistic } from '../../bench/fit-logistic.ts';

const probability = (logit: number) => 1 / (1 + Math.exp(-logit));

test('finds the coefficients that made the labels', () => {
  const examples = Array.from({ length: 400 }, (_, index) => {
    const values = [(index % 20) / 10 - 1, Math.floor(index / 20) / 10 - 1];
    return { values, label: probability(0.5 + 3 * values[0]! - 2 * values[1]!), weight: 1 };
  });
  const { intercept, weights } = fitLogistic(examples);
  expect(intercept).toBeCloseTo(0.5, 2);
  expect(weights[0]).toBeCloseTo(3, 2);
  expect(weights[1]).toBeCloseTo(-2, 2);
});

test('counts an example as often as its weight says', () => {
  const label = (weight: number) => [
    { values: [0], label: 1, weight },
    { values: [0], label: 0, weight: 1 },
  ];
  expect(probability(fitLogistic(label(3)).intercept)).toBeCloseTo(0.75, 3);
});
