import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentHash } from '../../../src/core/chunk/chunk-head.ts';
import type { Awaitable } from '../../../src/core/ports.ts';
import {
  type Duplicate,
  dedupeContent,
  dedupeNgrams,
  dedupeSemantic,
  mergeDuplicates,
} from '../../../src/core/rank/dedupe.ts';
import { trigramSet } from '../../../src/core/rank/trigrams.ts';

const ngrams = (texts: readonly string[], threshold = 0.7, wanted = texts.length) =>
  dedupeNgrams({
    ...{ count: texts.length, wanted, threshold },
    sketchesOf: (indices) => indices.map((index) => trigramSet(texts[index]!.trim()).sketch),
    textsOf: (indices) => indices.map((index) => texts[index]!),
  });
const semantic = (vectors: readonly (Float32Array | undefined)[], threshold = 0.85) =>
  dedupeSemantic(vectors, threshold);
const copies = (texts: readonly string[]) =>
  dedupeContent(
    texts.map((text) => contentHash({ text, overlap: 0 })),
    (index) => texts[index]!,
  );
const unit = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

describe('exact duplicates', () => {
  test('are equal texts, whatever blank space is around them', () => {
    expect(copies(['one', 'two', ' one\n', 'one'])).toEqual([
      { index: 2, of: 0, similarity: 1 },
      { index: 3, of: 0, similarity: 1 },
    ]);
  });

  test('differ in case and inner space', () => {
    expect(copies(['one two', 'One two', 'one  two'])).toEqual([]);
  });

  test('are compared in full: equal hashes of different texts merge nothing', () => {
    const texts = ['one', 'two', 'one'];
    expect(dedupeContent([7, 7, 7], (index) => texts[index]!)).toEqual([{ index: 2, of: 0, similarity: 1 }]);
  });

  test('are not two empty texts, which other things tell apart', () => {
    expect(copies(['', ' \n', ''])).toEqual([]);
  });
});

describe('near duplicates', () => {
  const text = 'To rotate a token, open the settings page and press Rotate.';

  test('are texts with a word changed, of different case', async () => {
    const [duplicate, ...others] = await ngrams([
      text,
      'Apples keep for weeks in a cellar.',
      text.toUpperCase(),
    ]);
    expect(duplicate).toEqual({ index: 2, of: 0, similarity: 1 });
    expect(others).toEqual([]);
    const [changed] = await ngrams([text, text.replace('settings', 'profile')]);
    expect(changed?.similarity).toBeCloseTo(41 / 58, 6);
  });

  test('are so from the threshold on', async () => {
    expect(await ngrams(['abcd', 'abce'], 1 / 3)).toHaveLength(1);
    expect(await ngrams(['abcd', 'abce'], 0.34)).toEqual([]);
  });

  test('are looked for until as many different texts are found as are wanted', async () => {
    const texts = [
      'one lamp',
      'two keys',
      'one lamp',
      'six oars',
      'two keys',
      'two keys',
      'ten nets',
      'one lamp',
    ];
    const found = async (wanted: number) => (await ngrams(texts, 0.7, wanted)).map(({ index }) => index);
    expect(await found(1)).toEqual([]);
    expect(await found(3)).toEqual([2]);
    expect(await found(4)).toEqual([2, 4, 5]);
    expect(await found(5)).toEqual([2, 4, 5, 7]);
  });

  test('are the same, however many different texts are wanted', async () => {
    const text = fc.constantFrom('one lamp', 'one lamps', 'two keys', 'six oars', 'six ours');
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 20 }),
        fc.integer({ min: 1, max: 20 }),
        async (texts, wanted) => {
          const all = await ngrams(texts, 0.5);
          const some = await ngrams(texts, 0.5, wanted);
          expect(some).toEqual(all.slice(0, some.length));
        },
      ),
    );
  });
});

describe('semantic duplicates', () => {
  test('are compared with survivors only: a chain of small steps does not merge its ends', () => {
    expect(semantic([unit(0), unit(20), unit(40)], 0.9)).toEqual([
      { index: 1, of: 0, similarity: expect.closeTo(Math.cos(Math.PI / 9), 6) },
    ]);
  });

  test('need vectors: a passage without one is kept', () => {
    expect(semantic([unit(0), undefined, undefined, unit(0)])).toEqual([
      { index: 3, of: 0, similarity: expect.closeTo(1, 6) },
    ]);
  });
});

describe('whatever is compared', () => {
  const text = fc.array(fc.constantFrom('ab', 'abc ', 'xyz ', 'hello ', 'world '), { maxLength: 6 });
  const texts = fc.array(
    text.map((parts) => parts.join('')),
    { maxLength: 25 },
  );
  const angles = fc.array(fc.option(fc.integer({ min: 0, max: 360 }), { nil: undefined }), { maxLength: 25 });
  type Dedupe = (count: number) => Awaitable<readonly Duplicate[]>;
  const cases = fc.oneof(
    texts.map((all): [number, Dedupe] => [all.length, (count) => copies(all.slice(0, count))]),
    texts.map((all): [number, Dedupe] => [all.length, (count) => ngrams(all.slice(0, count), 0.5)]),
    angles.map((all): [number, Dedupe] => {
      const vectors = all.map((angle) => (angle === undefined ? undefined : unit(angle)));
      return [all.length, (count) => semantic(vectors.slice(0, count), 0.9)];
    }),
  );

  test('each duplicate has one survivor, which is better and is no duplicate itself', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([count, dedupe]) => {
        const duplicates = await dedupe(count);
        const removed = new Set(duplicates.map(({ index }) => index));
        expect(removed.size).toBe(duplicates.length);
        for (const { index, of } of duplicates) {
          expect(of).toBeLessThan(index);
          expect(removed.has(of)).toBe(false);
        }
      }),
    );
  });

  test('what happens to the first n does not depend on those that follow', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(25), async ([count, dedupe], n) => {
        const all = await dedupe(count);
        expect(await dedupe(Math.min(n, count))).toEqual(all.filter(({ index }) => index < n));
      }),
    );
  });
});

describe('merging', () => {
  const modulo = (n: number) => (survivor: number, index: number) => (survivor % n === index % n ? 1 : 0);

  test('is done once: among survivors there is nothing left to merge', () => {
    const first = mergeDuplicates([...Array(10).keys()], 1, modulo(3));
    const removed = new Set(first.map(({ index }) => index));
    const left = Array.from({ length: 10 }, (_, index) => index).filter((index) => !removed.has(index));
    const again = (survivor: number, index: number) => modulo(3)(left[survivor]!, left[index]!);
    expect(left).toEqual([0, 1, 2]);
    expect(mergeDuplicates([...left.keys()], 1, again)).toEqual([]);
  });
});
