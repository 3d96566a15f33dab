import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasRelevant,
  hit,
  judgedShare,
  meanMetrics,
  measure,
  ndcg,
  recall,
  reciprocalRank,
} from '../../../src/core/evaluate/metrics.ts';

const graded = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 1],
  ['no', 0],
]);

describe('worked cases', () => {
  // Ideal gain at 5 and 10: 3/log₂2 + 2/log₂3 + 1/log₂4 = 4.761860.
  it.each([
    { ranking: ['a', 'b', 'c'], ndcg5: 1, mrr10: 1, recall10: 1, hit1: 1 },
    { ranking: ['b', 'x', 'a'], ndcg5: 0.735007, mrr10: 1, recall10: 2 / 3, hit1: 1 },
    { ranking: ['no', 'x', 'c'], ndcg5: 0.105001, mrr10: 1 / 3, recall10: 1 / 3, hit1: 0 },
    { ranking: ['b', 'b', 'x', 'a'], ndcg5: 0.735007, mrr10: 1, recall10: 2 / 3, hit1: 1 },
    { ranking: ['v', 'w', 'x', 'y', 'z', 'a'], ndcg5: 0, mrr10: 1 / 6, recall10: 1 / 3, hit1: 0 },
    { ranking: [], ndcg5: 0, mrr10: 0, recall10: 0, hit1: 0 },
  ])('$ranking', ({ ranking, ...expected }) => {
    const { ndcg5, mrr10, recall10, hit1 } = measure(ranking, graded);
    expect(ndcg5).toBeCloseTo(expected.ndcg5, 6);
    expect({ mrr10, recall10, hit1 }).toEqual({
      mrr10: expected.mrr10,
      recall10: expected.recall10,
      hit1: expected.hit1,
    });
  });

  it('counts nothing below the cut-off', () => {
    const ranking = [...'0123456789', 'a'];
    expect(measure(ranking, graded)).toEqual({ ndcg5: 0, ndcg10: 0, mrr10: 0, recall10: 0, hit1: 0 });
    expect(reciprocalRank(ranking, graded, 100)).toBeCloseTo(1 / 11, 12);
    expect(hit(ranking, graded, 11)).toBe(1);
  });

  it('cuts the ideal ranking too when more documents are relevant than places', () => {
    const many = new Map([...'abcdefgh'].map((id) => [id, 1]));
    expect(ndcg([...'abcde'], many, 5)).toBe(1);
    expect(recall([...'abcde'], many, 5)).toBe(5 / 8);
  });

  it('takes negative grades as not relevant', () => {
    expect(hasRelevant(new Map([['spam', -2]]))).toBe(false);
    expect(ndcg(['spam', 'a'], new Map(graded).set('spam', -2), 5)).toBe(ndcg(['x', 'a'], graded, 5));
  });

  it.each([
    [['a', 'no', 'x', 'y'], 1 / 2],
    [['a', 'a', 'x'], 1 / 2],
    [['x'], 0],
    [[...'0123456789', 'a'], 0],
    [[], 1],
  ])('tells how many of the first ten were judged at all: %j', (ranking, share) => {
    expect(judgedShare(ranking, graded, 10)).toBe(share);
  });

  it('averages over queries', () => {
    const both = [measure(['a', 'b', 'c'], graded), measure([], graded)];
    expect(meanMetrics(both)).toEqual({ ndcg5: 0.5, ndcg10: 0.5, mrr10: 0.5, recall10: 0.5, hit1: 0.5 });
    expect(meanMetrics([]).ndcg10).toBe(0);
  });
});

describe('properties', () => {
  const id = fc.constantFrom(...'abcdefghijklmnopqrst');
  const ranking = fc.uniqueArray(id, { maxLength: 20 });
  const judgements = fc
    .dictionary(id, fc.integer({ min: 0, max: 4 }), { minKeys: 1 })
    .map((grades) => new Map(Object.entries(grades)));

  it('every measure lies between 0 and 1', () => {
    fc.assert(
      fc.property(ranking, judgements, (order, grades) => {
        for (const value of Object.values(measure(order, grades))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  it('documents in order of their grades measure 1', () => {
    fc.assert(
      fc.property(judgements.filter(hasRelevant), (grades) => {
        const ideal = [...grades].sort((x, y) => y[1] - x[1]).map(([document]) => document);
        const { ndcg5, ndcg10, mrr10, hit1 } = measure(ideal, grades);
        expect([ndcg5, ndcg10, mrr10, hit1]).toEqual([1, 1, 1, 1]);
      }),
    );
  });

  it('the order below the cut-off and the names of irrelevant documents change nothing', () => {
    fc.assert(
      fc.property(ranking, judgements, (order, grades) => {
        const turned = [...order.slice(0, 10), ...order.slice(10).reverse()];
        const renamed = turned.map((document) => (grades.get(document) ? document : `other-${document}`));
        expect(measure(renamed, grades)).toEqual(measure(order, grades));
      }),
    );
  });

  it('listing a document again changes nothing', () => {
    fc.assert(
      fc.property(ranking, judgements, (order, grades) => {
        const doubled = order.flatMap((document, place) => [document, ...order.slice(0, place)]);
        expect(measure(doubled, grades)).toEqual(measure(order, grades));
      }),
    );
  });

  it('moving a better document up one place never lowers nDCG', () => {
    fc.assert(
      fc.property(ranking, judgements, fc.nat(), (order, grades, pick) => {
        const place = order.length < 2 ? 0 : 1 + (pick % (order.length - 1));
        const [above, below] = [order[place - 1], order[place]];
        fc.pre(above !== undefined && below !== undefined);
        fc.pre((grades.get(below) ?? 0) >= (grades.get(above) ?? 0));
        const swapped = order.with(place - 1, below).with(place, above);
        expect(ndcg(swapped, grades, 10)).toBeGreaterThanOrEqual(ndcg(order, grades, 10) - 1e-12);
      }),
    );
  });
});
