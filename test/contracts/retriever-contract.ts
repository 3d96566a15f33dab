/** What every Retriever must do, whatever it ranks by; each implementation's test runs this suite. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IndexEntry, Ranking, Retriever, RetrieverQuery } from '../../src/core/indexes/retriever.ts';
import type { QueryTerm } from '../../src/core/model/query.ts';
import { analyze } from '../../src/core/text/analyze.ts';

/** Length of the vectors of entries and queries. */
export const CONTRACT_DIMENSIONS = 16;

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'omega', 'kappa'];

/** An entry whose text, code and vector all say the same few words, so that any retriever can rank it by them. */
function contractEntry(slot: number, words: readonly string[]): IndexEntry {
  const text = words.join(' ');
  return {
    slot,
    chunk: {
      id: contractId(slot),
      text,
      headingPath: ['Same title'],
      codeBlocks: [{ language: 'ts', text, startLine: 1, endLine: 3 }],
    },
    document: { title: 'Same title', keywords: [], tags: [], aliases: [] },
    vector: vectorOf(words),
  };
}

/** A query by the same words. */
export function contractQuery(words: readonly string[]): RetrieverQuery {
  const text = words.join(' ');
  const terms: QueryTerm[] = [];
  analyze(text, (term) => void terms.push({ term, surface: term, prefix: false }));
  const parsed = {
    text,
    plain: text,
    terms,
    words: [],
    phrases: [],
    required: [],
    excludedTerms: [],
    excludedPhrases: [],
  };
  return { parsed: { ...parsed, filters: {} }, vector: vectorOf(words) };
}

/** Runs the suite; `make` gives an empty retriever each time. */
export function retrieverContract(name: string, make: () => Retriever | Promise<Retriever>): void {
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 });
  const corpus = fc
    .uniqueArray(fc.tuple(fc.nat(40), words), { selector: ([slot]) => slot, maxLength: 20 })
    .map((pairs) => pairs.map(([slot, text]) => contractEntry(slot, text)));
  const query = words.map(contractQuery);
  const k = fc.nat(12);

  async function filled(entries: readonly IndexEntry[]): Promise<Retriever> {
    const retriever = await make();
    retriever.add(entries);
    return retriever;
  }

  describe(`${name} keeps the contract of retrievers:`, () => {
    test('an empty index and k = 0 give an empty ranking', async () => {
      const retriever = await make();
      const asked = contractQuery(['alpha']);
      expect((await retriever.search(asked, 5)).entries).toEqual([]);
      retriever.add([contractEntry(0, ['alpha'])]);
      expect((await retriever.search(asked, 0)).entries).toEqual([]);
      expect((await retriever.search(asked, 5)).entries).toHaveLength(1);
    });

    test('what says the words of the query best comes first, in the lane of its name', async () => {
      const retriever = await filled([
        contractEntry(3, ['beta', 'gamma', 'delta', 'delta']),
        contractEntry(7, ['alpha', 'alpha', 'beta', 'beta']),
        contractEntry(9, ['alpha', 'gamma', 'delta', 'delta']),
      ]);
      const ranking = await retriever.search(contractQuery(['alpha', 'beta']), 3);
      expect(ranking.lane).toBe(name);
      expect(ranking.entries[0]!.slot).toBe(7);
    });

    test('at most k slots, each once and live, best first, equal scores by chunk id', () =>
      fc.assert(
        fc.asyncProperty(corpus, query, k, async (entries, asked, k) => {
          const { entries: ranked } = await (await filled(entries)).search(asked, k);
          expect(ranked.length).toBeLessThanOrEqual(k);
          expect(new Set(slotsOf(ranked)).size).toBe(ranked.length);
          for (const slot of slotsOf(ranked)) expect(entries.some((entry) => entry.slot === slot)).toBe(true);
          for (const [i, { slot, score }] of ranked.slice(1).entries()) {
            const before = ranked[i]!;
            expect(before.score).toBeGreaterThanOrEqual(score);
            if (before.score === score) expect(contractId(before.slot) < contractId(slot)).toBe(true);
          }
        }),
      ));

    test('slots of the same words have the same score', async () => {
      const retriever = await filled([5, 1, 8, 2, 30].map((slot) => contractEntry(slot, ['alpha', 'beta'])));
      const { entries } = await retriever.search(contractQuery(['alpha']), 3);
      const byId = [5, 1, 8, 2, 30].sort((a, b) => (contractId(a) < contractId(b) ? -1 : 1));
      expect(slotsOf(entries)).toEqual(byId.slice(0, 3));
      expect(new Set(entries.map((entry) => entry.score)).size).toBe(1);
    });

    test('the first n of a longer answer are the answer for n', () =>
      fc.assert(
        fc.asyncProperty(corpus, query, k, async (entries, asked, k) => {
          const retriever = await filled(entries);
          const longer = await retriever.search(asked, k + 7);
          expect((await retriever.search(asked, k)).entries).toEqual(longer.entries.slice(0, k));
        }),
      ));

    test('scoreOf gives the score of every live slot, in the ranking or not', () =>
      fc.assert(
        fc.asyncProperty(corpus, query, async (entries, asked) => {
          const retriever = await filled(entries);
          const all = await retriever.search(asked, entries.length);
          const few = await retriever.search(asked, 1);
          const ranked = new Map(all.entries.map(({ slot, score }) => [slot, score]));
          for (const { slot } of entries) {
            expect(all.scoreOf(slot)).toBeCloseTo(ranked.get(slot) ?? 0, 6);
            expect(few.scoreOf(slot)).toBeCloseTo(all.scoreOf(slot), 6);
          }
        }),
      ));

    test('a mask narrows before the top k and changes no score; beyond its end nothing is allowed', () =>
      fc.assert(
        fc.asyncProperty(
          corpus,
          query,
          k,
          fc.uint8Array({ max: 1, maxLength: 45 }),
          async (entries, asked, k, mask) => {
            const retriever = await filled(entries);
            const free = await retriever.search(asked, 50);
            const masked = await retriever.search(asked, k, Uint8Array.from(mask));
            const allowed = free.entries.filter(({ slot }) => mask[slot] === 1);
            expect(masked.entries).toEqual(allowed.slice(0, k));
          },
        ),
      ));

    test('removed slots are gone as if they had never been there; unknown ones do no harm', () =>
      fc.assert(
        fc.asyncProperty(corpus, query, fc.array(fc.nat(60)), async (entries, asked, gone) => {
          const retriever = await filled(entries);
          retriever.remove(gone);
          retriever.remove(gone);
          const fresh = await filled(entries.filter(({ slot }) => !gone.includes(slot)));
          expectSame(await retriever.search(asked, 50), await fresh.search(asked, 50));
        }),
      ));

    test('adding a slot again replaces it', () =>
      fc.assert(
        fc.asyncProperty(corpus, corpus, query, async (before, after, asked) => {
          const retriever = await filled(before);
          retriever.add(after);
          const latest = new Map([...before, ...after].map((entry) => [entry.slot, entry]));
          expectSame(
            await retriever.search(asked, 50),
            await (await filled([...latest.values()])).search(asked, 50),
          );
        }),
      ));

    test('neither the order of adding nor its batches change the answer', () =>
      fc.assert(
        fc.asyncProperty(corpus, query, fc.integer({ min: 1, max: 5 }), async (entries, asked, batch) => {
          const retriever = await make();
          const reversed = entries.toReversed();
          for (let i = 0; i < reversed.length; i += batch) retriever.add(reversed.slice(i, i + batch));
          expectSame(await retriever.search(asked, 50), await (await filled(entries)).search(asked, 50));
        }),
      ));

    test('a ranking stands even when the index changes after it', async () => {
      const retriever = await filled([contractEntry(1, ['alpha']), contractEntry(2, ['beta'])]);
      const ranking = await retriever.search(contractQuery(['alpha']), 2);
      const score = ranking.scoreOf(1);
      retriever.remove([1]);
      retriever.add([contractEntry(2, ['alpha', 'alpha'])]);
      expect(ranking.entries[0]).toEqual({ slot: 1, score });
    });
  });
}

function expectSame(a: Ranking, b: Ranking): void {
  expect(a.entries).toEqual(b.entries);
}

function slotsOf(entries: readonly { readonly slot: number }[]): readonly number[] {
  return entries.map((entry) => entry.slot);
}

/** 13 hexadecimal digits whose order is not that of the slots. */
export function contractId(slot: number): string {
  return ((slot * 7919 + 13) % 1009).toString(16).padStart(13, '0');
}

/** A unit vector with one axis for each word and a common part, as embeddings have. */
function vectorOf(words: readonly string[]): Float32Array {
  const vector = new Float32Array(CONTRACT_DIMENSIONS).fill(0.25);
  for (const word of words) vector[WORDS.indexOf(word)]! += 1;
  const norm = Math.hypot(...vector);
  return vector.map((x) => x / norm);
}
