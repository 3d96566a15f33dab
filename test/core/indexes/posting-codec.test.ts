import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPostingWriter,
  decodePostings,
  frequencyOf,
  MAX_FREQUENCY,
  NO_POSITION,
  NONE,
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

test.each([1, 64, 65, 128, 300])('of %i entries, the first position of every 64th is known', (count) => {
  const writer = createPostingWriter(true);
  const frequencies = Array.from({ length: count }, (_, at) => 1 + (at % 5));
  for (const [unit, frequency] of frequencies.entries()) {
    writer.entry(unit, occurrence(0, frequency));
    for (let at = 0; at < frequency; at++) writer.position(at);
  }
  writer.endTerm();
  const before = (entry: number) => frequencies.slice(0, entry).reduce((sum, each) => sum + each, 0);
  const wanted = [64, 128, 192, 256].filter((entry) => entry <= count).map(before);
  expect(decodePostings(writer.finish().postings, true).skips).toEqual(wanted);
});

test('copied postings are those of the units that stay, renumbered', () => {
  fc.assert(
    fc.property(
      fc.array(term, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.nat(),
      (terms, hasPositions, seed) => {
        const limit = 200_001;
        const isGone = (unit: number) => (unit * 31 + seed) % 3 === 0;
        const [copied, plain] = [createPostingWriter(hasPositions, 1), createPostingWriter(hasPositions)];
        for (const [source, entries] of terms.entries()) {
          const from = createPostingWriter(hasPositions);
          const renumbered = new Uint32Array(limit);
          for (let unit = 0; unit < limit; unit++)
            renumbered[unit] = isGone(unit) ? NONE : source * limit + unit;
          for (const each of entries) {
            for (const to of isGone(each.unit) ? [from] : [from, plain]) {
              const unit = to === from ? each.unit : renumbered[each.unit]!;
              to.entry(unit, occurrence(each.field, each.frequency));
              if (hasPositions) for (const at of positionsOf(each)) to.position(at);
            }
          }
          const { postings } = from.finish();
          expect(copied.copy(postings, 0, postings.length, renumbered)).toBe(
            entries.some(({ unit }) => !isGone(unit)),
          );
        }
        copied.endTerm();
        plain.endTerm();
        expect(copied.finish()).toEqual(plain.finish());
      },
    ),
    { numRuns: 30 },
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
