import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brierScores,
  calibrationError,
  type Outcome,
  reliability,
  rocArea,
} from '../../../src/core/evaluate/calibration.ts';

function outcomes(...pairs: readonly (readonly [number, 0 | 1])[]): readonly Outcome[] {
  return pairs.map(([confidence, correct]) => ({ confidence, correct: correct === 1 }));
}

describe('worked cases', () => {
  // Bins [0.1, 0.2): 0.125 sure, half right; [0.9, 1]: 0.95 sure, two of three right.
  const sample = outcomes([0.1, 0], [0.15, 1], [0.9, 1], [0.95, 0], [1, 1]);

  it('fills the reliability table, the last bin with 1', () => {
    const [low, high, ...rest] = reliability(sample);
    expect(rest).toEqual([]);
    expect(low).toMatchObject({ from: 0.1, to: 0.2, count: 2, correct: 0.5 });
    expect(low?.confidence).toBeCloseTo(0.125, 12);
    expect(high).toMatchObject({ from: 0.9, to: 1, count: 3 });
    expect(high?.correct).toBeCloseTo(2 / 3, 12);
  });

  it('weighs the distances of the bins by their answers', () => {
    expect(calibrationError(sample)).toBeCloseTo((2 / 5) * 0.375 + (3 / 5) * (0.95 - 2 / 3), 12);
    expect(calibrationError([])).toBe(0);
  });

  it.each([
    // Right answers 0.8 and 0.4 against wrong ones 0.6 and 0.2: three of four pairs in order.
    [outcomes([0.8, 1], [0.6, 0], [0.4, 1], [0.2, 0]), 0.75],
    [outcomes([0.9, 1], [0.1, 0]), 1],
    [outcomes([0.1, 1], [0.9, 0]), 0],
    [outcomes([0.5, 1], [0.5, 0]), 0.5],
    [outcomes([0.5, 1], [0.5, 0], [0.5, 0], [0.7, 1]), 0.75],
    [outcomes([0.5, 1]), undefined],
    [[], undefined],
  ])('area under the curve %#', (given, area) => {
    expect(rocArea(given)).toBe(area);
  });

  it('squares the distance to the truth', () => {
    expect(brierScores(outcomes([0.9, 1], [0.5, 0]))).toEqual([expect.closeTo(0.01, 12), 0.25]);
  });
});

describe('properties', () => {
  const answers = fc.array(
    fc.record({ confidence: fc.integer({ min: 0, max: 20 }).map((n) => n / 20), correct: fc.boolean() }),
    { minLength: 1, maxLength: 40 },
  );

  it('every answer is in one bin, and the error lies between 0 and 1', () => {
    fc.assert(
      fc.property(answers, (given) => {
        const bins = reliability(given);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(given.length);
        for (const { from, to, confidence } of bins) {
          expect(confidence).toBeGreaterThanOrEqual(from - 1e-12);
          expect(confidence).toBeLessThanOrEqual(to + 1e-12);
        }
        expect(calibrationError(given)).toBeGreaterThanOrEqual(0);
        expect(calibrationError(given)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('the area is the share of pairs in order', () => {
    fc.assert(
      fc.property(answers, (given) => {
        const right = given.filter(({ correct }) => correct);
        const wrong = given.filter(({ correct }) => !correct);
        const pairs = right.flatMap((yes) =>
          wrong.map((no) => (Math.sign(yes.confidence - no.confidence) + 1) / 2),
        );
        const expected = pairs.length === 0 ? undefined : pairs.reduce((a, b) => a + b, 0) / pairs.length;
        if (expected === undefined) expect(rocArea(given)).toBeUndefined();
        else expect(rocArea(given)).toBeCloseTo(expected, 12);
      }),
    );
  });
});
