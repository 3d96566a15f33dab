/** When the text that is embedded gets more words, and which. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packVector } from '../../../src/core/indexes/packed-vector.ts';
import { createVocabularyIndex } from '../../../src/core/indexes/vocabulary.ts';
import type { SearchMode } from '../../../src/core/model/query.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { cosine } from '../../../src/core/rank/likeness.ts';
import { initialState, type SearchServices } from '../../../src/core/search/state.ts';
import { expandQuery, explainCosine } from '../../../src/core/search/understand-query.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../../src/engine/config/settings.ts';

/** A model of two dimensions: the more letters of a text are `w`, the nearer it is to the first axis. */
function embed(text: string): Float32Array {
  const share = (text.match(/w/g)?.length ?? 0) / Math.max(1, text.length);
  return Float32Array.of(Math.cos(1 - share), Math.sin(1 - share));
}

const WORDS = ['wwww', 'www', 'wwx', 'wxx', 'xxxx'];

async function expand(
  text: string,
  settings: Partial<SearchSettings> = {},
  { mode = 'hybrid', words = WORDS }: { mode?: SearchMode; words?: readonly string[] } = {},
) {
  const vocabulary = createVocabularyIndex(2);
  for (const word of words) vocabulary.add(word, packVector(embed(word)));
  const embedded: string[] = [];
  const services = {
    vocabulary,
    async embedQuery(query: string) {
      embedded.push(query);
      return embed(query);
    },
  } as Partial<SearchServices> as SearchServices;
  const start = initialState({
    query: parseQuery(text),
    mode,
    topN: 5,
    minConfidence: 0,
    filters: {},
    explain: true,
    parents: false,
    now: 0,
    settings: {
      ...toSearchSettings(settingsSchema.parse({})),
      queryExpansionEnabled: true,
      queryExpansionThreshold: 0.7,
      queryExpansionMaxTerms: 2,
      ...settings,
    },
  });
  return { start, state: await expandQuery(start, services), embedded };
}

describe('expandQuery', () => {
  it('appends the three nearest words though a fourth is near enough, for the embedding alone', async () => {
    const { start, state, embedded } = await expand('ww');
    expect(embedded).toEqual(['ww', 'ww wwww www wwx']);
    // Angles of 0, 0 and 1 − 2/3 to the query; that of wxx has a cosine of 0.79, above the 0.7 asked for.
    const similarities = state.expansion.map(({ similarity }) => similarity);
    for (const [place, expected] of [1, 1, 0.945].entries())
      expect(similarities?.[place]).toBeCloseTo(expected, 2);
    expect(state.vector).toEqual(embed('ww wwww www wwx'));
    expect(state.request).toBe(start.request);
  });

  it('passes over a word that the query says, and takes the next', async () => {
    expect((await expand('www')).embedded[1]).toBe('www wwww wwx wxx');
  });

  it('leaves out no word that is nearer than one it adds, and none of those is too far or in the query', async () => {
    const word = fc.string({ unit: fc.constantFrom('w', 'x'), minLength: 2, maxLength: 8 });
    const words = fc.uniqueArray(word, { maxLength: 12 });
    const threshold = fc.double({ min: 0.4, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(words, word, threshold, async (vocabulary, query, least) => {
        const { start, state, embedded } = await expand(
          query,
          { queryExpansionThreshold: least },
          { words: vocabulary },
        );
        const added = state.expansion;
        const others = vocabulary.filter((each) => each !== query);
        const nearness = (each: string) => cosine(embed(each), embed(query));
        // Rows of the vocabulary have 8 bits.
        const off = 0.01;
        expect(added.length).toBeLessThanOrEqual(3);
        for (const { word, similarity } of added) {
          expect(others).toContain(word);
          expect(similarity).toBeGreaterThanOrEqual(least);
          expect(Math.abs(similarity - nearness(word))).toBeLessThan(off);
        }
        const left = others.filter((each) => !added.some(({ word }) => word === each));
        const limit = added.length === 3 ? added[2]!.similarity : least;
        for (const each of left) expect(nearness(each)).toBeLessThan(limit + off);
        expect(embedded.at(-1)).toBe([query, ...added.map(({ word }) => word)].join(' '));
        expect(state.request).toBe(start.request);
      }),
    );
  });

  it('keeps the vector of a query that has no word near enough', async () => {
    const { state, embedded } = await expand('wxw', { queryExpansionThreshold: 1.1 });
    expect(embedded).toEqual(['wxw']);
    expect(state).toMatchObject({ vector: embed('wxw') });
    expect(state.expansion).toEqual([]);
  });

  it.each([
    ['switched off', 'ww', { queryExpansionEnabled: false }, 'hybrid'],
    ['too many terms', 'ww wx xx', {}, 'hybrid'],
    ['no words to embed', 'tag:ww', {}, 'hybrid'],
    ['a mode without meaning', 'ww', {}, 'keyword'],
  ] as const)('does nothing: %s', async (_, text, settings, mode) => {
    const { start, state, embedded } = await expand(text, settings, { mode });
    expect(state).toBe(start);
    expect(embedded).toEqual([]);
  });

  it('names the words in the explanation of the cosine', async () => {
    const { state } = await expand('ww', { queryExpansionThreshold: 0.95 });
    const explained = explainCosine(0.8, state);
    expect(explained).toMatchObject({ label: 'cosine', value: 0.8 });
    expect(explained.parts?.map(({ label }) => label)).toContain('with the word www');
    expect(explainCosine(0.8, { expansion: [], corrections: [] })).toEqual({ label: 'cosine', value: 0.8 });
  });
});
