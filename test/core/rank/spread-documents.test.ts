import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadDocuments } from '../../../src/core/rank/variety.ts';

type Item = readonly [document: number, score: number];
const spread = (items: readonly Item[]) =>
  spreadDocuments(items.map(([document, fused]) => ({ document, fused }))).map(
    ({ document, fused }): Item => [document, fused],
  );

test('other documents come before a second passage of the same one', () => {
  expect(
    spread([
      [1, 1],
      [1, 0.9],
      [2, 0.8],
      [3, 0.75],
    ]),
  ).toEqual([
    [1, 1],
    [2, 0.8],
    [3, 0.75],
    [1, 0.9],
  ]);
});

test('a second passage that is clearly better keeps its place', () => {
  expect(
    spread([
      [1, 1],
      [1, 0.9],
      [2, 0.8],
      [3, 0.7],
    ]),
  ).toEqual([
    [1, 1],
    [2, 0.8],
    [1, 0.9],
    [3, 0.7],
  ]);
  expect(
    spread([
      [1, 1],
      [1, 1],
      [2, 0.8],
    ]),
  ).toEqual([
    [1, 1],
    [1, 1],
    [2, 0.8],
  ]);
});

test('loses nothing, and keeps the order of documents and of the passages of each', () => {
  const item = fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const ranked = items.toSorted(([, a], [, b]) => b - a);
      const result = spread(ranked);
      const documents = (list: readonly Item[]) => [...new Set(list.map(([document]) => document))];
      expect(documents(result)).toEqual(documents(ranked));
      for (const document of documents(ranked)) {
        const of = (list: readonly Item[]) => list.filter(([each]) => each === document);
        expect(of(result)).toEqual(of(ranked));
      }
    }),
  );
});
