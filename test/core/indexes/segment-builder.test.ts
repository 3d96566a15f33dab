import { describe, expect, test } from 'vitest';
import { type Dictionary, wordAt, wordCount } from '../../../src/core/indexes/dictionary.ts';
import { expandPrefix } from '../../../src/core/indexes/expand-prefix.ts';
import { createLiveSegments } from '../../../src/core/indexes/live-segments.ts';
import { mergeSegments } from '../../../src/core/indexes/merge.ts';
import { frequencyOf } from '../../../src/core/indexes/posting-codec.ts';
import { readPostings, type Segment } from '../../../src/core/indexes/segment.ts';
import { type Analyze, createSegmentBuilder } from '../../../src/core/indexes/segment-builder.ts';
import { atOnce } from '../../../src/core/steps.ts';

/** A made-up stemmer: the first four letters, lower-cased; wholes of `a-b` and their parts. */
const stemFour: Analyze = (text, visit) => {
  let position = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (word.includes('-')) visit(word.toLowerCase(), position, index, index + word.length);
    for (const { 0: part, index: at } of word.matchAll(/[^-]+/g)) {
      visit(part.toLowerCase().slice(0, 4), position++, index + at, index + at + part.length);
    }
  }
  return position;
};

function build(texts: ReadonlyMap<number, string>): Segment {
  const builder = createSegmentBuilder({
    fieldCount: 1,
    analyze: stemFour,
    foldSurface: (word) => word.toLowerCase(),
    positions: true,
  });
  for (const [unit, text] of texts) builder.add(unit, 0, text);
  return atOnce(builder.build());
}

describe('a built segment', () => {
  const segment = build(
    new Map([
      [7, 'Walking walks walking-stick'],
      [9, 'walk Stick'],
    ]),
  );

  test('lists its terms in order, with units, frequencies and positions', () => {
    expect(wordsOf(segment.terms)).toEqual(['stic', 'walk', 'walking-stick']);
    expect([...segment.units]).toEqual([7, 9]);
    expect([...segment.lengths]).toEqual([4, 2]);
    expect([...segment.unitFrequencies]).toEqual([2, 2, 1]);
    const postings = [0, 1, 2].map((term) => readPostings(segment, term));
    expect(postings.map(({ units }) => [...units])).toEqual([[0, 1], [0, 1], [0]]);
    expect(postings.map(({ occurrences }) => Array.from(occurrences, frequencyOf))).toEqual([
      [1, 1],
      [3, 1],
      [1],
    ]);
    expect(postings.map(({ positions }) => [...positions])).toEqual([[3, 1], [0, 1, 2, 0], [2]]);
  });

  test('keeps the words as written, folded, with their terms and counts', () => {
    const rows = Array.from(segment.surfaceTerms, (term, i) => [
      wordAt(segment.surfaces, i),
      wordAt(segment.terms, term),
      segment.surfaceFrequencies[i],
    ]);
    expect(rows).toEqual([
      ['stick', 'stic', 2],
      ['walk', 'walk', 1],
      ['walking', 'walk', 2],
      ['walking-stick', 'walking-stick', 1],
      ['walks', 'walk', 1],
    ]);
  });

  test('keeps a word as written once for each term it stands for', () => {
    const builder = createSegmentBuilder({
      fieldCount: 1,
      analyze: (text, visit) => {
        visit('c++', 0, 0, text.length);
        visit('c', 0, 0, text.length);
        return 1;
      },
      foldSurface: (word) => word.toLowerCase(),
    });
    builder.add(0, 0, 'C++');
    builder.add(1, 0, 'c++');
    const { terms, surfaces, surfaceTerms, surfaceFrequencies } = atOnce(builder.build());
    expect(wordsOf(surfaces)).toEqual(['c++', 'c++']);
    expect(Array.from(surfaceTerms, (term) => wordAt(terms, term))).toEqual(['c', 'c++']);
    expect([...surfaceFrequencies]).toEqual([2, 2]);
  });

  test('merged with nothing is itself, and merged with another has the words of both', () => {
    expect(atOnce(mergeSegments([segment], () => true))).toEqual(segment);
    const other = build(new Map([[2, 'Walks talks']]));
    const merged = atOnce(mergeSegments([segment, other], (index, local) => index === 1 || local === 1));
    expect(wordsOf(merged.terms)).toEqual(['stic', 'talk', 'walk']);
    expect([...merged.units]).toEqual([9, 2]);
    expect(wordsOf(merged.surfaces)).toEqual(['stick', 'talks', 'walk', 'walking', 'walks']);
    expect([...merged.surfaceFrequencies]).toEqual([2, 1, 1, 2, 2]);
  });

  test('merged from the parts of a whole equals the whole', () => {
    const texts = ['Walking walks', 'sticks and walking-stick', 'a talk', 'Talking sticks'];
    const whole = build(new Map(texts.entries()));
    const parts = texts.map((text, unit) => build(new Map([[unit, text]])));
    expect(atOnce(mergeSegments(parts, () => true))).toEqual(whole);
  });
});

test('a segment of more than 16 fields is refused, because an entry has four bits for its field', () => {
  const start = (fieldCount: number) => () => createSegmentBuilder({ fieldCount, analyze: stemFour });
  expect(start(16)).not.toThrow();
  expect(start(17)).toThrow(new RangeError('A segment has at most 16 fields, not 17.'));
});

describe('a prefix', () => {
  test('stands for the terms of the words it begins, the most frequent first', () => {
    const segments = createLiveSegments(1);
    segments.add(
      build(
        new Map([
          [0, 'station'],
          [1, 'Stationary storm'],
          [2, 'starling storm star'],
        ]),
      ),
    );
    segments.add(build(new Map([[3, 'stormy']])));
    expect(expandPrefix(segments, 'st')).toEqual(['stor', 'stat', 'star']);
    expect(expandPrefix(segments, 'stationar')).toEqual(['stat']);
    segments.remove([2, 3]);
    expect(expandPrefix(segments, 'st')).toEqual(['stat', 'stor']);
    expect(expandPrefix(segments, 'x')).toEqual([]);
  });

  test('stands for at most 64 terms', () => {
    const segments = createLiveSegments(1);
    const words = Array.from({ length: 100 }, (_, i) => `p${i + 100}`);
    segments.add(
      build(
        new Map([
          [0, words.join(' ')],
          [1, 'p199'],
        ]),
      ),
    );
    const expanded = expandPrefix(segments, 'p');
    expect(expanded).toEqual(['p199', ...words.slice(0, 63)]);
  });
});

function wordsOf(dictionary: Dictionary): readonly string[] {
  return Array.from({ length: wordCount(dictionary) }, (_, i) => wordAt(dictionary, i));
}
