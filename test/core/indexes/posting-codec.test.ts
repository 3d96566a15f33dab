import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPostingWriter,
  decodePostings,
  frequencyOf,
  MAX_FREQUENCY,
  NO_POSITION,
  occurrence,
} from '../../../src/core/indexes/posting-codec.ts';

const frequency = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(14, 15, 16, MAX_FREQUENCY));
const entry = fc.record({ unit: fc.nat(200_000), field: fc.nat(15), frequency, seed: fc.nat(NO_POSITION) });
/** The entries of a term, in the order of postings. */
const term = fc
  .uniqueArray(entry, { maxLength: 20, selector: ({ unit, field }) => `${unit} ${field}` })
  .map((entries) => entries.sort((a, b) => a.unit - b.unit || a.field - b.field));

const positionsOf = ({ frequency, seed }: { frequency: number; seed: number }) =>
  Array.from({ length: frequency }, (_, n) => Math.min(seed + n * n, NO_POSITION));

test('postings that are decoded are those that were written', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), fc.boolean(), (terms, hasPositions) => {
      const writer = createPostingWriter(hasPositions, 1);
      for (const entries of terms) {
        for (const each of entries) {
          writer.entry(each.unit, occurrence(each.field, each.frequency));
          if (hasPositions) for (const at of positionsOf(each)) writer.position(at);
        }
        writer.endTerm();
      }
      const { postings, postingStarts, unitFrequencies } = writer.finish();
      expect(postingStarts).toHaveLength(terms.length + 1);
      for (const [at, entries] of terms.entries()) {
        const bytes = postings.subarray(postingStarts[at]!, postingStarts[at + 1]!);
        const found = decodePostings(bytes, hasPositions);
        expect([...found.units]).toEqual(entries.map(({ unit }) => unit));
        expect([...found.occurrences]).toEqual(
          entries.map(({ field, frequency }) => occurrence(field, frequency)),
        );
        expect([...found.positions]).toEqual(hasPositions ? entries.flatMap(positionsOf) : []);
        expect(unitFrequencies[at]).toBe(new Set(entries.map(({ unit }) => unit)).size);
      }
    }),
  );
});

test('most entries take two bytes and a byte for each position', () => {
  const writer = createPostingWriter(true);
  for (let unit = 0; unit < 100; unit++) {
    writer.entry(unit, occurrence(8, 2));
    writer.position(40);
    writer.position(45);
  }
  writer.endTerm();
  expect(writer.finish().postings).toHaveLength(100 * 4);
});

test('a frequency that is too large to store is stored as the largest', () => {
  expect(frequencyOf(occurrence(3, 70_000))).toBe(MAX_FREQUENCY);
});
