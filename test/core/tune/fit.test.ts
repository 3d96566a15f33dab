import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealFolds, fitSigmoid, takeFold } from '../../../src/core/tune/tune.ts';

describe('folds', () => {
  it('hold every member once, in nearly equal numbers, alike for equal seeds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 7 }),
        fc.nat(),
        (sizes, folds, seed) => {
          const sets = sizes.map((size, set) =>
            Array.from({ length: size }, (_, place) => `${set}.${place}`),
          );
          const dealt = dealFolds(sets, folds, seed);
          expect(dealFolds(sets, folds, seed)).toEqual(dealt);
          for (const [set, members] of sets.entries()) {
            const parts = Array.from(
              { length: folds },
              (_, fold) => takeFold(sets, dealt, fold, 'inside')[set]!,
            );
            expect(parts.flat().sort()).toEqual(members.toSorted());
            const counts = parts.map(({ length }) => length);
            expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  it('outside is what is not inside', () => {
    expect(takeFold([['a', 'b', 'c']], [[0, 1, 0]], 0, 'inside')).toEqual([['a', 'c']]);
    expect(takeFold([['a', 'b', 'c']], [[0, 1, 0]], 0, 'outside')).toEqual([['b']]);
  });
});

describe('fitSigmoid', () => {
  /** `share` of ten outcomes at this input are right. */
  const tenAt = (input: number, share: number) =>
    Array.from({ length: 10 }, (_, place) => ({ input, correct: place < 10 * share }));

  it('finds the curve through the shares', () => {
    // logit 0.2 = −ln 4 at 0.3, logit 0.8 = ln 4 at 0.5: threshold 0.4, steepness ln 16 / 0.2.
    const curve = fitSigmoid(
      Array.from({ length: 50 }, () => [...tenAt(0.3, 0.2), ...tenAt(0.5, 0.8)]).flat(),
    );
    expect(curve?.threshold).toBeCloseTo(0.4, 2);
    expect(curve?.steepness).toBeCloseTo(Math.log(16) / 0.2, 0);
  });

  it('stays finite where the input makes no mistake', () => {
    const curve = fitSigmoid([...tenAt(0.2, 0), ...tenAt(0.6, 1)]);
    expect(curve?.threshold).toBeCloseTo(0.4, 2);
    expect(curve?.steepness).toBeGreaterThan(5);
    expect(curve?.steepness).toBeLessThan(100);
  });

  it.each([
    ['all are right', tenAt(0.4, 1)],
    ['all are wrong', tenAt(0.4, 0)],
    ['there are none', []],
    ['higher inputs were worse', [...tenAt(0.3, 0.9), ...tenAt(0.6, 0.1)]],
  ])('gives no curve where %s', (_, outcomes) => {
    expect(fitSigmoid(outcomes)).toBeUndefined();
  });
});
