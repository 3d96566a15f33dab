import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeSegments } from '../../../src/core/indexes/merge.ts';
import { frequencyOf, NO_POSITION } from '../../../src/core/indexes/posting-codec.ts';
import { createPostings, type Postings } from '../../../src/core/indexes/postings.ts';
import { readPostings, type Segment } from '../../../src/core/indexes/segment.ts';
import { createSegmentBuilder } from '../../../src/core/indexes/segment-builder.ts';
import { decodeSegment, encodeSegment } from '../../../src/core/indexes/segment-codec.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { naiveScore, splitWords } from './naive-bm25f.ts';

const FIELDS = [
  { name: 'title', weight: 3, b: 0.75 },
  { name: 'tags', weight: 2, b: 0.3 },
  { name: 'content', weight: 1, b: 0.75 },
];
const K1 = 1.2;

type Texts = readonly (readonly string[])[];

const word = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', 'c', 'é', 'zz', '東京');
const texts: fc.Arbitrary<Texts> = fc.tuple(
  fc.array(word, { maxLength: 3 }),
  fc.array(word, { maxLength: 2 }),
  fc.array(word, { maxLength: 12 }),
);
const unit = fc.nat(20);
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      units: fc.dictionary(unit.map(String), texts, { maxKeys: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), units: fc.array(unit, { maxLength: 4 }) }),
  },
  fc.record({ kind: fc.constant('merge' as const), from: fc.nat(4), count: fc.nat(4) }),
  fc.record({ kind: fc.constant('save and load' as const) }),
);
const term = fc.record(
  {
    term: fc.oneof(word, fc.constant('nowhere')),
    prefix: fc.boolean(),
    field: fc.constantFrom('title', 'content'),
  },
  { requiredKeys: ['term', 'prefix'] },
);
const terms = fc.array(term, { minLength: 1, maxLength: 4 });

describe('BM25F over postings', () => {
  test('equals the formula over plain maps after any history of changes, merges and reloads', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), terms, (changes, query) => {
        const collection = new Map<number, Texts>();
        let postings = createPostings({ fields: FIELDS, k1: K1 });
        for (const step of changes) {
          if (step.kind === 'add') {
            const added = new Map(Object.entries(step.units).map(([key, value]) => [Number(key), value]));
            for (const [key, value] of added) collection.set(key, value);
            postings.segments.add(segmentOf(added));
          } else if (step.kind === 'remove') {
            for (const gone of step.units) collection.delete(gone);
            postings.segments.remove(step.units);
          } else if (step.kind === 'merge') {
            merge(postings, step.from, step.count);
          } else {
            postings = reload(postings, collection);
          }
        }
        expect(postings.segments.count).toBe(collection.size);
        const { scores, matchedIdf, totalIdf, bound } = postings.score(query);
        for (let u = 0; u <= 21; u++) {
          const naive = naiveScore(collection, FIELDS, K1, query, u);
          expect(Math.abs((scores[u] ?? 0) - naive.score)).toBeLessThan(1e-9);
          expect(Math.abs((matchedIdf[u] ?? 0) / totalIdf - naive.coverage)).toBeLessThan(1e-9);
          expect(scores[u] ?? 0).toBeLessThanOrEqual(bound);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('gives bit for bit the same scores however units are spread over segments', () => {
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }),
        terms,
        (all, bins, query) => {
          const whole = createPostings({ fields: FIELDS, k1: K1 });
          whole.segments.add(segmentOf(new Map(all.entries())));
          const spread = createPostings({ fields: FIELDS, k1: K1 });
          for (const bin of [2, 0, 3, 1]) {
            const part = [...all.entries()].filter(([u]) => bins[u] === bin).reverse();
            if (part.length > 0) spread.segments.add(segmentOf(new Map(part)));
          }
          const { release: _, ...due } = whole.score(query);
          expect(spread.score(query)).toMatchObject(due);
        },
      ),
    );
  });

  test('a field of weight 0 neither scores nor counts as a match', () => {
    const postings = createPostings({ fields: FIELDS, k1: K1 });
    postings.segments.add(
      segmentOf(
        new Map([
          [0, [['a'], [], ['b']]],
          [1, [['b'], [], ['a']]],
        ]),
      ),
    );
    const { scores, terms: scored } = postings.score([{ term: 'a', prefix: false }], [1, 0, 0]);
    expect(scores[0]).toBeGreaterThan(0);
    expect(scores[1]).toBe(0);
    expect(scored[0]).toMatchObject({ units: 1, words: ['a'] });
  });

  test('a prefix weighs no more than one word found in as many units', () => {
    const words = ['pre1', 'pre2', 'pre3', 'pre4'];
    const postings = createPostings({ fields: FIELDS, k1: K1 });
    postings.segments.add(segmentOf(new Map(words.map((w, u) => [u, [[], [], [w, 'same']]]))));
    const byPrefix = postings.score([{ term: 'pre', prefix: true }]);
    const byWord = postings.score([{ term: 'same', prefix: false }]);
    expect(byPrefix.scores).toEqual(byWord.scores);
    expect(byPrefix.bound).toBe(byWord.bound);
  });

  test('a phrase that stands for a term scores and covers as the term does', () => {
    const scoresOf = (word: string) => {
      const postings = createPostings({ fields: FIELDS, k1: K1 });
      const contents = [`${word} x ${word} y`, `z ${word} x y`, 'b a x y z', 'b b a a x'];
      postings.segments.add(segmentOf(new Map(contents.map((text, u) => [u, [[], [], text.split(' ')]]))));
      const variants = [['a', 'b'].map((term, position) => ({ term, position }))];
      return postings.score([{ term: 'ab', prefix: false, variants }]);
    };
    const [apart, together] = [scoresOf('a b'), scoresOf('ab')];
    expect([...apart.scores].map((score) => score > 0)).toEqual([true, true, false, false]);
    expect(apart.matchedIdf).toEqual(together.matchedIdf);
    expect([apart.bound, apart.totalIdf]).toEqual([together.bound, together.totalIdf]);
    expect(apart.terms[0]).toMatchObject({ units: 2 });
  });

  test('an empty index, an empty query and empty fields give zeros, not errors', () => {
    const postings = createPostings({ fields: FIELDS, k1: K1 });
    expect(postings.score([{ term: 'a', prefix: false }]).scores).toHaveLength(0);
    postings.segments.add(segmentOf(new Map([[2, [[], [], []]]])));
    const { scores, bound } = postings.score([]);
    expect([...scores]).toEqual([0, 0, 0]);
    expect(bound).toBe(0);
    expect([...postings.score([{ term: 'a', prefix: true }]).scores]).toEqual([0, 0, 0]);
  });

  test('fields whose analyser counts no positions are weighed without their length', () => {
    const builder = createSegmentBuilder({
      fieldCount: 3,
      analyze: (text, visit) => {
        visit(text, 0, 0, text.length);
        return 0;
      },
    });
    builder.add(0, 2, 'a');
    const postings = createPostings({ fields: FIELDS, k1: K1 });
    postings.segments.add(atOnce(builder.build()));
    const idf = Math.log(1 + 0.5 / 1.5);
    expect(postings.score([{ term: 'a', prefix: false }]).scores[0]).toBeCloseTo(
      (idf * 4 * 2.2) / (4 + 1.2),
      12,
    );
  });

  test('frequencies beyond 12 bits and positions beyond 16 saturate instead of wrapping round', () => {
    const postings = createPostings({ fields: FIELDS, k1: K1 });
    const long = [...new Array<string>(70_000).fill('a'), 'b'];
    postings.segments.add(
      segmentOf(
        new Map([
          [0, [[], [], long]],
          [1, [[], [], ['a']]],
        ]),
      ),
    );
    const merged = atOnce(
      mergeSegments(
        postings.segments.all.map((one) => one.segment),
        () => true,
      ),
    );
    const [ofA, ofB] = [readPostings(merged, 0), readPostings(merged, 1)];
    expect(Array.from(ofA.occurrences, frequencyOf)).toEqual([4095, 1]);
    expect(merged.lengths[2 * 2]).toBe(70_001);
    expect(ofA.positions).toHaveLength(4095 + 1);
    expect([...ofB.positions]).toEqual([NO_POSITION]);
    expect(postings.score([{ term: 'a', prefix: false }]).scores[0]).toBeGreaterThan(0);
  });
});

function segmentOf(units: ReadonlyMap<number, Texts>): Segment {
  const builder = createSegmentBuilder({ fieldCount: FIELDS.length, analyze: splitWords, positions: true });
  for (const [number, fields] of units) {
    for (const [field, words] of fields.entries()) builder.add(number, field, words.join(' '));
  }
  return atOnce(builder.build());
}

function merge({ segments }: Postings, from: number, count: number): void {
  const group = segments.all.slice(from, from + count);
  if (group.length === 0) return;
  const merged = atOnce(
    mergeSegments(
      group.map((one) => one.segment),
      (index, local) => group[index]!.dead[local] === 0,
    ),
  );
  segments.replace(group, merged);
}

/** What a new process sees: the same segments from their bytes, in order, and which units there still are. */
function reload({ segments }: Postings, collection: ReadonlyMap<number, Texts>): Postings {
  const fresh = createPostings({ fields: FIELDS, k1: K1 });
  // A unit that was replaced and then removed must not come back through its older version.
  for (const { segment } of segments.all) {
    fresh.segments.add(decodeSegment(encodeSegment(segment)), (u) => collection.has(u));
  }
  return fresh;
}
