/** Unloading must change nothing: an index that unloads its saved segments equals one that keeps them in memory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { createLexicalIndex } from '../../../src/core/indexes/lexical-index.ts';
import { countLive } from '../../../src/core/indexes/live-segments.ts';
import { encodeSegment } from '../../../src/core/indexes/segment-codec.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { savedSegments } from '../../../src/engine/workspace/saved-segments.ts';
import { splitWords } from '../../core/indexes/naive-bm25f.ts';

const WORDS = ['bell', 'gate', 'lantern', 'moss'];

/** Puts a number of new units with a text each, removes units by number, or saves the index. */
type Step =
  | readonly ['put', number]
  | readonly ['remove', first: number, count: number]
  | readonly ['save', boolean];

const count = fc.constantFrom(1, 80, 300);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: count.map((count): Step => ['put', count]) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(1000), count).map(([first, count]): Step => ['remove', first, count]),
  },
  { weight: 3, arbitrary: fc.boolean().map((all): Step => ['save', all]) },
);

/** Three segments of 300 units, then four of 80: the last save merges those four, and then four of about 300. */
const cascade = [300, 300, 300, 80, 80, 80, 80].flatMap((count): Step[] => [
  ['put', count],
  ['save', false],
]);

test('an index that unloads its saved segments has the segments and counts of one that keeps them', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      expect(after(steps, true)).toEqual(after(steps, false));
    }),
    { numRuns: 60, examples: [[cascade]] },
  );
});

test('the example of a cascade ends with one segment of all units', () => {
  expect(after(cascade, true)).toMatchObject({ sizes: [3 * 300 + 4 * 80], savedRows: 1 });
});

test('an unloaded segment is not read again to check all segments', () => {
  using store = openStore();
  const index = createIndex();
  index.add([1, 2, 3]);
  atOnce(savedSegments(store.segments, 'chunks', index).save(true, true));
  store.segments.use('chunks', [], index.liveSegments.length > 0 ? store.segments.inUse('chunks') : []);
  for (const segment of index.liveSegments) segment.check();
  expect(() => index.segments()).toThrow('Another process changed the index');
});

function after(steps: readonly Step[], unload: boolean) {
  using store = openStore();
  const open = () => {
    const index = createIndex();
    return { index, saved: savedSegments(store.segments, 'chunks', index) };
  };
  const { index, saved } = open();
  const live = new Set<number>();
  let next = 0;
  for (const [what, given, count] of [...steps, ['save', true] as const]) {
    if (what === 'save') atOnce(saved.save(given, unload));
    else if (what === 'put') {
      const units = Array.from({ length: given }, () => next++);
      for (const unit of units) live.add(unit);
      index.add(units);
    } else {
      const units = Array.from({ length: count }, (_, at) => given + at);
      for (const unit of units) live.delete(unit);
      index.remove(units);
    }
  }
  const again = open();
  expect(again.saved.load((unit) => live.has(unit), true)).toBe(true);
  const countsOf = (one: typeof index) => WORDS.map((word) => countLive(one.postings.segments, word));
  expect(countsOf(again.index)).toEqual(countsOf(index));
  const segments = index.segments();
  return {
    counts: countsOf(index),
    sizes: segments.map(({ units }) => units.length),
    segments: segments.map((segment) => Buffer.from(encodeSegment(segment)).toString('base64')),
    savedRows: [...store.segments.read('chunks')].length,
  };
}

const textOf = (number: number) => WORDS.filter((_, bit) => ((number + 1) >> bit) & 1).join(' ') || 'bell';

function createIndex() {
  return createLexicalIndex<number>(
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
}

function openStore() {
  const store = openSqliteStore(':memory:');
  return Object.assign(store, { [Symbol.dispose]: store.close });
}
