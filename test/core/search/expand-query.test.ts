/** When the text that is embedded gets more words, and which. */
import { describe, expect, it } from 'vitest';
import { createConceptIndex } from '../../../src/core/indexes/concepts.ts';
import { createPlainScan } from '../../../src/core/indexes/plain-scan.ts';
import type { SearchMode } from '../../../src/core/model/query.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { expandQuery, explainExpansion } from '../../../src/core/search/expand-query.ts';
import { initialState, type SearchServices } from '../../../src/core/search/state.ts';
import { toSearchSettings } from '../../../src/engine/search-settings.ts';
import { settingsSchema } from '../../../src/engine/settings.ts';

/** A model of two dimensions: the more letters of a text are `w`, the nearer it is to the first axis. */
function embed(text: string): Float32Array {
  const share = (text.match(/w/g)?.length ?? 0) / Math.max(1, text.length);
  return Float32Array.of(Math.cos(1 - share), Math.sin(1 - share));
}

async function expand(text: string, settings: Partial<SearchSettings> = {}, mode: SearchMode = 'hybrid') {
  const concepts = createConceptIndex({ dimensions: 2, scan: createPlainScan() });
  for (const word of ['wwww', 'www', 'wwx', 'wxx', 'xxxx']) concepts.add(word, embed(word));
  const embedded: string[] = [];
  const services = {
    concepts,
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
  it('appends at most three words that are near and not in the query, for the embedding alone', async () => {
    const { start, state, embedded } = await expand('ww');
    expect(embedded).toEqual(['ww', 'ww wwww www wwx']);
    expect(state.vector).toEqual(embed('ww wwww www wwx'));
    expect(state.request).toBe(start.request);
    expect((await expand('www')).embedded[1]).toBe('www wwww wwx wxx');
  });

  it('keeps the vector of a query that has no word near enough', async () => {
    const { state, embedded } = await expand('wxw', { queryExpansionThreshold: 1.1 });
    expect(embedded).toEqual(['wxw']);
    expect(state).toMatchObject({ vector: embed('wxw') });
    expect(state.expansion).toBeUndefined();
  });

  it.each([
    ['switched off', 'ww', { queryExpansionEnabled: false }, 'hybrid'],
    ['too many terms', 'ww wx xx', {}, 'hybrid'],
    ['no words to embed', 'tag:ww', {}, 'hybrid'],
    ['a mode without meaning', 'ww', {}, 'keyword'],
  ] as const)('does nothing: %s', async (_, text, settings, mode) => {
    const { start, state, embedded } = await expand(text, settings, mode);
    expect(state).toBe(start);
    expect(embedded).toEqual([]);
  });

  it('names the words in the explanation of the cosine', async () => {
    const { state } = await expand('ww', { queryExpansionThreshold: 0.95 });
    const ranking = { lane: 'semantic', entries: [], best: 0, scoreOf: () => 0.8 } as const;
    const explained = explainExpansion(ranking, state).explain?.(1);
    expect(explained).toMatchObject({ label: 'cosine', value: 0.8 });
    expect(explained?.parts?.map(({ label }) => label)).toContain('with the word www');
    expect(explainExpansion(ranking, {})).toBe(ranking);
  });
});
