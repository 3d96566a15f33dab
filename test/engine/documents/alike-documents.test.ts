import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupAlike } from '../../../src/engine/documents/audit-documents.ts';

const hashed = (...lists: readonly (readonly number[])[]) =>
  lists.map((hashes, document) => ({ document, hashes: new Set(hashes) }));

test('documents with the same passages, or four fifths of them, are one group', () => {
  const [same, most, few] = [
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 6],
    [1, 2, 3, 7, 8],
  ];
  expect(groupAlike(hashed(same, same, most, few))).toEqual([
    {
      first: 0,
      others: [
        { document: 1, share: 1 },
        { document: 2, share: 0.8 },
      ],
    },
  ]);
});

test('a document is compared with the first of a group, and joins the one that it is closest to', () => {
  const numbers = (from: number) => Array.from({ length: 10 }, (_, at) => from + at);
  const groups = groupAlike(hashed(numbers(0), numbers(3), numbers(2), numbers(5)));
  expect(groups).toEqual([
    {
      first: 1,
      others: [
        { document: 2, share: 0.9 },
        { document: 3, share: 0.8 },
      ],
    },
  ]);
});

test('few comparisons find what all comparisons find', () => {
  const sets = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(sets, (lists) => {
      const documents = hashed(...lists);
      expect(groupAlike(documents)).toEqual(groupPlainly(documents));
    }),
    { numRuns: 500 },
  );
});

/** Compares with the first document of every group. */
function groupPlainly(documents: ReturnType<typeof hashed>) {
  const groups = new Map<number, { document: number; share: number }[]>();
  for (const { document, hashes } of documents) {
    const [best] = [...groups.keys()]
      .map((first) => {
        const other = documents[first]!.hashes;
        const both = [...hashes].filter((hash) => other.has(hash)).length;
        return { first, share: both / Math.max(hashes.size, other.size) };
      })
      .filter(({ share }) => share >= 0.8)
      .sort((a, b) => b.share - a.share || a.first - b.first);
    if (best) groups.get(best.first)!.push({ document, share: best.share });
    else groups.set(document, []);
  }
  return [...groups].filter(([, others]) => others.length > 0).map(([first, others]) => ({ first, others }));
}
