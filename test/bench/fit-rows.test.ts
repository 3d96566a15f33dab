import { describe, expect, it } from 'vitest';
import { figures, type Kind, type Sample } from '../../bench/calibration-figures.ts';
import {
  chooseThreshold,
  chooseWithout,
  confidenceBy,
  fitRow,
  fitWithoutEach,
  ROWS,
} from '../../bench/fit-rows.ts';

const ROW = ROWS.meaning;

function sample(set: string, kind: Kind, cosine: number | undefined, more: Partial<Sample> = {}): Sample {
  const observed = cosine === undefined ? {} : { observed: { cosine, passages: 7 } };
  return { set, kind, relevant: kind === 'own', sigmoid: 0.5, ...observed, ...more };
}

/** Own queries near, foreign ones far; `shift` moves a whole set. */
function setOf(set: string, shift = 0): readonly Sample[] {
  return Array.from({ length: 20 }, (_, i) => [
    sample(set, 'own', 0.66 + shift + i / 200),
    sample(set, 'foreign', 0.58 + shift + i / 200),
  ]).flat();
}

describe('a row', () => {
  it('gives what answers more than one half, what does not less, and nothing to what found nothing', () => {
    const model = fitRow(ROW, [...setOf('a'), ...setOf('b')]);
    expect(model.weights.cosine).toBeGreaterThan(0);
    expect(confidenceBy({ model }, sample('a', 'own', 0.75))).toBeGreaterThan(0.5);
    expect(confidenceBy({ model }, sample('a', 'own', 0.58))).toBeLessThan(0.5);
    expect(confidenceBy({ model }, sample('a', 'own', undefined))).toBe(0);
  });

  it('gives way to that of words where every word was found and they say more', () => {
    const model = { intercept: -1, weights: { cosine: 1 } };
    const words = { intercept: 1, weights: { words: 1 } };
    const by = (observed: Sample['observed']) =>
      confidenceBy(
        { model, words },
        { set: 'a', kind: 'own', relevant: true, sigmoid: 0, observed: observed! },
      );
    expect(by({ cosine: 0.5, words: 1, complete: true, passages: 7 })).toBeCloseTo(1 / (1 + Math.exp(-2)), 9);
    expect(by({ cosine: 0.5, words: 1, complete: false, passages: 7 })).toBeCloseTo(
      1 / (1 + Math.exp(0.5)),
      9,
    );
    expect(by({ cosine: 5, words: 1, complete: true, passages: 7 })).toBeCloseTo(1 / (1 + Math.exp(-4)), 9);
  });

  it('counts sets alike, however many queries they have, and checked ones not at all', () => {
    const few = fitRow(ROW, [...setOf('a'), ...setOf('b', 0.05)]);
    const many = fitRow(ROW, [...setOf('a'), ...setOf('a'), ...setOf('b', 0.05)]);
    expect(many.intercept).toBeCloseTo(few.intercept, 9);
    const odd = setOf('odd', -0.3).map((one) => ({ ...one, check: true }));
    expect(fitRow(ROW, [...setOf('a'), ...setOf('b', 0.05), ...odd])).toEqual(few);
  });

  it('fitted without a set does not depend on it', () => {
    const [a, b, c] = [setOf('a'), setOf('b', 0.02), setOf('c', -0.2)];
    const without = fitWithoutEach({ row: ROW, samples: [...a, ...b, ...c] }).get('c')?.model;
    expect(without).toEqual(fitRow(ROW, [...a, ...b]));
    expect(without).not.toEqual(fitRow(ROW, [...a, ...b, ...c]));
  });

  it('nor on another set of its subject', () => {
    const [a, b, docs, code] = [setOf('a'), setOf('b', 0.02), setOf('x-docs', -0.2), setOf('x-code', -0.2)];
    const fits = fitWithoutEach({ row: ROW, samples: [...a, ...b, ...docs, ...code] });
    expect(fits.get('x-docs')?.model).toEqual(fitRow(ROW, [...a, ...b]));
    expect(fits.get('x-code')?.model).toEqual(fitRow(ROW, [...a, ...b]));
    expect(fits.get('a')?.model).toEqual(fitRow(ROW, [...b, ...docs, ...code]));
  });
});

describe('the threshold', () => {
  const sets = [...setOf('a'), ...setOf('b', 0.01), ...setOf('c', -0.02)];

  it('is the greatest that keeps .95 of own queries in the mean, each set judged by a fit to the others', () => {
    const chosen = chooseThreshold({ row: ROW, samples: sets });
    const fits = fitWithoutEach({ row: ROW, samples: sets });
    const kept = (threshold: number) => {
      const shares = ['a', 'b', 'c'].map((set) => {
        const own = sets.filter((one) => one.set === set && one.kind === 'own');
        return own.filter((one) => confidenceBy(fits.get(set)!, one) >= threshold).length / own.length;
      });
      return shares.reduce((sum, share) => sum + share, 0) / shares.length;
    };
    expect(chosen).toBeGreaterThan(0);
    expect(kept(chosen)).toBeGreaterThanOrEqual(0.95);
    expect(kept(chosen + 0.01)).toBeLessThan(0.95);
  });

  it('looks at whole sets alone', () => {
    const hopeless = setOf('a', -0.5).map((one) => ({ ...one, check: true }));
    expect(chooseThreshold({ row: ROW, samples: [...sets, ...hopeless] })).toBe(
      chooseThreshold({ row: ROW, samples: sets }),
    );
  });

  it('chosen without a set is what the others ask for, and says what that set keeps and loses', () => {
    const others = sets.filter(({ set }) => set !== 'c');
    const { chosen, kept, refused } = chooseWithout({ row: ROW, samples: sets }, 'c');
    expect(chosen).toBe(chooseThreshold({ row: ROW, samples: others }));
    const model = fitRow(ROW, others);
    const passing = (kind: Kind) =>
      sets.filter((one) => one.set === 'c' && one.kind === kind && confidenceBy({ model }, one) >= chosen)
        .length;
    expect([kept, refused]).toEqual([passing('own') / 20, 1 - passing('foreign') / 20]);
  });
});

describe('figures', () => {
  const at = (kind: Kind, confidence: number, more: Partial<Sample> = {}) => ({
    ...sample('a', kind, 0.7, more),
    confidence,
  });

  it('tell both errors, areas and shares', () => {
    const told = figures(
      [
        at('own', 0.9),
        at('own', 0.7, { relevant: false }),
        at('foreign', 0.1),
        at('foreign', 0.8),
        at('removed', 0.2),
        at('none', 0.1),
      ],
      0.5,
    );
    expect(told).toEqual({
      foreignArea: 0.75,
      removedArea: 1,
      relevantArea: 1,
      ownRelevantArea: 1,
      kept: 1,
      refused: 0.5,
      removedRefused: 1,
      unanswerableRefused: 1,
      error: expect.closeTo((0.1 + 0.7 + 0.1 + 0.8) / 4, 12),
      ownError: expect.closeTo((0.1 + 0.7) / 2, 12),
      judgedRelevant: 0.5,
    });
  });

  it('refuse a query that found nothing, at any threshold, and hold no error against it', () => {
    const empty = { ...sample('a', 'own', undefined, { relevant: false }), confidence: 0 };
    expect(figures([at('own', 0.9), empty], 0)).toMatchObject({ kept: 0.5, error: expect.closeTo(0.1, 12) });
  });
});
