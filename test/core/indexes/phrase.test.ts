import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLiveSegments } from '../../../src/core/indexes/live-segments.ts';
import { findPhrase, unitsWithPhrase } from '../../../src/core/indexes/phrase.ts';
import { type Analyze, createSegmentBuilder } from '../../../src/core/indexes/segment-builder.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { splitWords } from './naive-bm25f.ts';

const word = fc.constantFrom('a', 'b', 'c');

function segmentsOf(units: readonly (readonly (readonly string[])[])[]) {
  const segments = createLiveSegments(3);
  for (const [unit, fields] of units.entries()) {
    const builder = createSegmentBuilder({ fieldCount: 3, analyze: splitWords, positions: true });
    for (const [field, texts] of fields.entries()) for (const text of texts) builder.add(unit, field, text);
    segments.add(atOnce(builder.build()));
  }
  return segments;
}

function phrase(words: readonly (string | undefined)[], first = 0) {
  const terms = words.flatMap((term, i) => (term === undefined ? [] : [{ term, position: first + i }]));
  return { text: words.join(' '), terms };
}

describe('a phrase', () => {
  test('is found exactly in the units with those words in a row in one field', () => {
    const field = fc.array(fc.string({ unit: fc.constantFrom('a ', 'b ', 'c '), maxLength: 8 }), {
      maxLength: 2,
    });
    const units = fc.array(fc.tuple(field, field, field), { maxLength: 6 });
    fc.assert(
      fc.property(units, fc.array(word, { minLength: 1, maxLength: 3 }), fc.nat(3), (all, words, first) => {
        const wanted = all.flatMap((fields, unit) =>
          fields.flat().some((text) => text.includes(words.map((w) => `${w} `).join(''))) ? [unit] : [],
        );
        const found = unitsWithPhrase(segmentsOf(all), phrase(words, first));
        expect([...found].sort((a, b) => a - b)).toEqual(wanted);
      }),
    );
  });

  test('keeps the gap that a dropped stop word leaves', () => {
    const segments = segmentsOf([
      [[], [], ['state of art']],
      [[], [], ['state art']],
    ]);
    expect(unitsWithPhrase(segments, phrase(['state', undefined, 'art']))).toEqual([0]);
  });

  test('may not run from one text of a field into the next, nor from field to field', () => {
    const segments = segmentsOf([
      [['machine', 'learning'], [], []],
      [['machine'], ['learning'], []],
    ]);
    expect(unitsWithPhrase(segments, phrase(['machine', 'learning']))).toEqual([]);
  });

  test('is not guessed at beyond the largest position that is stored', () => {
    const filler = 'x '.repeat(65_534);
    const segments = segmentsOf([
      [[`${filler}a x b`], [], []],
      [[`${filler}x x a b`], [], []],
    ]);
    expect(unitsWithPhrase(segments, phrase(['a', 'b']))).toEqual([]);
    expect(unitsWithPhrase(segments, phrase(['x', 'x']))).toEqual([0, 1]);
    // `b` is in fewer units than `a`, so its positions are read first.
    const together = segmentOf([[`${filler}a x b`], ['a']], splitWords);
    expect([...findPhrase(together, phrase(['a', 'b']).terms)]).toEqual([]);
    expect([...findPhrase(together, phrase(['b']).terms)]).toEqual([]);
  });

  test('is not found in deleted units', () => {
    const segments = segmentsOf([
      [['a b'], [], []],
      [['a b'], [], []],
    ]);
    segments.remove([0]);
    expect(unitsWithPhrase(segments, phrase(['a', 'b']))).toEqual([1]);
  });
});

/** Makes one segment, whose units have the texts of their fields. */
function segmentOf(units: readonly (readonly string[])[], analyze: Analyze) {
  const segments = createLiveSegments(2);
  const builder = createSegmentBuilder({ fieldCount: 2, analyze, positions: true });
  for (const [unit, fields] of units.entries())
    for (const [field, text] of fields.entries()) builder.add(unit, field, text);
  return segments.add(atOnce(builder.build()));
}

/** Visits the word `b` twice, as a name is visited whose stem is its first part. */
const repeatB: Analyze = (text, visit) =>
  splitWords(text, (word, ...place) => {
    visit(word, ...place);
    if (word === 'b') visit(word, ...place);
  });

describe('findPhrase', () => {
  test('finds among many units, where entries are skipped, what reading every word finds', () => {
    const often = fc.oneof({ weight: 20, arbitrary: word }, { weight: 1, arbitrary: fc.constant('rare') });
    const text = fc.array(often, { maxLength: 4 });
    const unit = fc.record({ fields: fc.tuple(text, text), isDead: fc.nat(9).map((number) => number === 0) });
    const units = fc.array(unit, { minLength: 100, maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(units, fc.array(often, { minLength: 1, maxLength: 3 }), (all, words) => {
        const texts = all.map(({ fields }) => fields.map((field) => field.join(' ')));
        const segment = segmentOf(texts, repeatB);
        for (const [unit, { isDead }] of all.entries()) if (isDead) segment.dead[unit] = 1;
        const places = (field: readonly string[]) =>
          field.filter((_, at) => words.every((each, place) => field[at + place] === each)).length;
        const wanted = all.flatMap(({ fields, isDead }, local) =>
          fields
            .map((text, field) => ({ local, field, frequency: isDead ? 0 : places(text) }))
            .filter(({ frequency }) => frequency > 0),
        );
        expect([...findPhrase(segment, phrase(words).terms)]).toEqual(wanted);
      }),
    );
  });

  const inUnits = (positions: boolean, text: string) => {
    const segments = createLiveSegments(1);
    const builder = createSegmentBuilder({ fieldCount: 1, analyze: splitWords, positions });
    for (const [unit, each] of ['x', text, 'a b'].entries()) builder.add(unit, 0, each);
    segments.add(atOnce(builder.build()));
    segments.remove([2]);
    return [...findPhrase(segments.all[0]!, phrase(['a', 'b']).terms)];
  };

  test.each([
    ['a b a b b', 2],
    ['b a x b', 0],
    ['a a b', 1],
  ])('counts in %j %i places', (text, frequency) => {
    expect(inUnits(true, text)).toEqual(frequency === 0 ? [] : [{ local: 1, field: 0, frequency }]);
  });

  test('without positions it finds nothing', () => {
    expect(inUnits(false, 'a b a b')).toEqual([]);
  });
});
