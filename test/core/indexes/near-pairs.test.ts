/** Pairs of near words: reading only the units that are asked for finds what reading every word finds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLiveSegments } from '../../../src/core/indexes/live-segments.ts';
import { findNearPairs } from '../../../src/core/indexes/near-pairs.ts';
import { createSegmentBuilder } from '../../../src/core/indexes/segment-builder.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { splitWords } from './naive-bm25f.ts';

const WITHIN = 3;
const word = fc.constantFrom('a', 'b', 'c', 'd');
const field = fc.array(word, { maxLength: 12 });
const unit = fc.record({ fields: fc.tuple(field, field), isRemoved: fc.boolean() });

test.each([
  ['few units', fc.array(fc.array(unit, { maxLength: 6 }), { maxLength: 3 }), 500],
  // Entries are skipped by blocks of 64.
  ['many units', fc.tuple(fc.array(unit, { minLength: 150, maxLength: 250, size: 'max' })), 20],
])(
  'in %s, each has the pairs of a naive search, in whatever order they are asked for',
  (_, segments, numRuns) => {
    const query = fc.array(
      fc.record({ terms: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }), gap: fc.nat(5) }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(segments, query, fc.infiniteStream(fc.nat()), (all, asked, keys) => {
        const live = createLiveSegments(2);
        const units = all.flat();
        let next = 0;
        for (const given of all) {
          const builder = createSegmentBuilder({ fieldCount: 2, analyze: splitWords, positions: true });
          for (const { fields } of given) {
            for (const [number, words] of fields.entries()) builder.add(next, number, words.join(' '));
            next++;
          }
          live.add(atOnce(builder.build()));
        }
        live.remove(units.flatMap(({ isRemoved }, number) => (isRemoved ? [number] : [])));
        let position = 0;
        const words = asked.map(({ terms, gap }) => {
          position += gap + 1;
          return { terms, position, idf: 1 };
        });

        const order = [...units.keys()].map((number) => [keys.next().value as number, number] as const);
        const shuffled = order.sort((a, b) => a[0] - b[0]).map(([, number]) => number);
        const { bitsOf } = findNearPairs(live, words);
        const expected = shuffled.map((number) => naiveBits(units[number]!, words));
        expect([...bitsOf(shuffled)]).toEqual(expected);
        expect(shuffled.map((number) => bitsOf([number])[0])).toEqual(expected);
      }),
      { numRuns },
    );
  },
);

function naiveBits(
  { fields, isRemoved }: { readonly fields: readonly (readonly string[])[]; readonly isRemoved: boolean },
  words: readonly { readonly terms: readonly string[]; readonly position: number }[],
): number {
  let bits = 0;
  for (const [pair, second] of words.slice(1).entries()) {
    const first = words[pair]!;
    const within = Math.max(WITHIN, second.position - first.position);
    const isNear = fields.some((texts) =>
      texts.some(
        (one, at) =>
          first.terms.includes(one) &&
          texts.slice(at + 1, at + 1 + within).some((other) => second.terms.includes(other)),
      ),
    );
    if (isNear && !isRemoved) bits |= 1 << pair;
  }
  return bits;
}
