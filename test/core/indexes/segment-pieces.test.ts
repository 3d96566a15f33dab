import { expect, test } from 'vitest';
import { createLexicalIndex } from '../../../src/core/indexes/lexical-index.ts';
import { countLive } from '../../../src/core/indexes/live-segments.ts';
import { mergeSegments } from '../../../src/core/indexes/merge.ts';
import { findPhrase } from '../../../src/core/indexes/phrase.ts';
import { readPostings, type Segment } from '../../../src/core/indexes/segment.ts';
import { decodeSegment, encodeSegment } from '../../../src/core/indexes/segment-codec.ts';
import { cutSegment, openSegment } from '../../../src/core/indexes/segment-pieces.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { splitWords } from './naive-bm25f.ts';

/** Every unit has one common word, one of its own, and ten of 5,000. */
const textOf = (unit: number) =>
  [
    'lantern',
    `own${unit}`,
    ...Array.from({ length: 10 }, (_, n) => `word${(unit * 31 + n * 977) % 5000}`),
  ].join(' ');

const makeIndex = () =>
  createLexicalIndex<number>(
    {},
    {
      fields: [{ name: 'text', weight: 1 }],
      analyze: splitWords,
      positions: true,
      foldSurface: (word) => word,
      unitOf: (unit) => unit,
      read: (add, unit) => add(unit, 0, textOf(unit)),
    },
  );
const segmentOf = (units: number) => makeIndex().add(Array.from({ length: units }, (_, unit) => unit))!;
const large = segmentOf(6_000);

function cutWhole(segment: Segment) {
  const { head, pieces } = cutSegment(segment);
  return { head, pieces: [...pieces] };
}
const cut = cutWhole(large);

/** Opens a segment, and lists the pieces of which bytes are read. */
function opened({ head, pieces }: typeof cut) {
  const read: number[] = [];
  const readPiece = (piece: number, from: number, to: number) => {
    read.push(piece);
    return pieces[piece]!.subarray(from, to);
  };
  const segment = openSegment(head, readPiece, () => false);
  return { segment, read };
}

test('a large segment that is cut and opened is the same segment', () => {
  expect(cut.pieces.length).toBeGreaterThan(12);
  const { segment, read } = opened(cut);
  const equals = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;
  expect(equals(encodeSegment(segment), encodeSegment(large))).toBe(true);
  expect(new Set(read)).toEqual(new Set(cut.pieces.keys()));
  expect(equals(cutSegment(segment).head, cut.head)).toBe(true);
});

test('a check reads every piece', () => {
  const { segment, read } = opened(cut);
  segment.saved!.check();
  expect(read).toEqual([...cut.pieces.keys()]);
});

test('a merge of a segment in memory or opened is the segment of what is live', () => {
  const index = makeIndex();
  const isLive = (unit: number) => unit % 3 !== 0;
  const live = index.add(Array.from({ length: 6_000 }, (_, unit) => unit).filter(isLive))!;
  const dead = makeIndex().add(
    Array.from({ length: 6_000 }, (_, unit) => unit).filter((unit) => !isLive(unit)),
  )!;
  for (const segment of [large, opened(cut).segment]) {
    const merged = atOnce(
      mergeSegments(
        [segment],
        (_, local) => isLive(local),
        () => [dead],
      ),
    );
    expect(Buffer.compare(encodeSegment(merged), encodeSegment(live))).toBe(0);
  }
});

test('a small segment is not cut', () => {
  const { head, pieces } = cutWhole(segmentOf(30));
  expect(pieces).toEqual([]);
  expect(decodeSegment(head)).toEqual(segmentOf(30));
  expect(
    openSegment(
      head,
      () => undefined,
      () => false,
    ),
  ).toEqual(segmentOf(30));
});

test('a word reads the pieces that hold it once, and counting it reads none', () => {
  const { segment, read } = opened(cut);
  const index = makeIndex();
  const owner = index.load(segment);
  const words = ['own7', 'own5999', 'word42'];
  expect(words.map((word) => countLive(index.postings.segments, word))).toEqual([1, 1, 12]);
  expect(read).toEqual([]);
  const whole = makeIndex();
  const other = whole.load(large);
  for (const word of words) {
    const scored = (one: typeof index) => one.postings.score([{ term: word, prefix: false }]).scores;
    expect(scored(index)).toEqual(scored(whole));
  }
  const phrase = ['lantern', 'own7'].map((term, position) => ({ term, position }));
  const countMatches = (one: typeof owner) => [...findPhrase(one, phrase)].length;
  expect([...findPhrase(owner, phrase)]).toEqual([...findPhrase(other, phrase)]);
  expect(new Set(read).size).toBeLessThan(cut.pieces.length / 2);
  const times = read.length;
  expect(countMatches(owner)).toBe(1);
  expect(read).toHaveLength(times);
  index.remove([7]);
  expect(['own7', 'lantern'].map((word) => countLive(index.postings.segments, word))).toEqual([0, 5999]);
});

test('a piece that is missing, cut short, damaged or of another place is refused', () => {
  const damaged = cut.pieces[0]!.slice();
  damaged[100]! ^= 1;
  for (const first of [undefined, cut.pieces[0]!.subarray(0, 400), damaged, cut.pieces[1]])
    for (const isReplaced of [true, false]) {
      const readPiece = (piece: number, from: number, to: number) =>
        (piece === 0 ? first : cut.pieces[piece])?.subarray(from, to);
      const segment = openSegment(cut.head, readPiece, () => isReplaced);
      const error = isReplaced
        ? { code: 'index_busy', remedy: 'Repeat the command.' }
        : { code: 'index_damaged', remedy: expect.stringContaining('docfuse index') };
      for (const read of [() => readPostings(segment, 0), segment.saved!.check])
        expect(read).toThrow(expect.objectContaining(error));
    }
});

test('a damaged head is refused, and so is a head without its pieces', () => {
  const head = cut.head.slice();
  head[head.length - 1]! ^= 1;
  expect(() =>
    openSegment(
      head,
      () => undefined,
      () => false,
    ),
  ).toThrow(expect.objectContaining({ code: 'index_damaged' }));
  expect(() => decodeSegment(cut.head)).toThrow(expect.objectContaining({ code: 'index_damaged' }));
});
