import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { retrieve } from '../../../src/core/search/retrieve.ts';
import { initialState, type SearchServices } from '../../../src/core/search/state.ts';
import { toSearchSettings } from '../../../src/engine/search-settings.ts';
import { settingsSchema } from '../../../src/engine/settings.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const { services } = memoryIndex([
  { path: 'token.md', text: '# Tokens\n\nA token is rotated at night.' },
  { path: 'build.md', text: '# Builds\n\nA build takes an hour.' },
]);
const state = initialState({
  ...{ query: parseQuery('token'), mode: 'hybrid', topN: 5, minConfidence: 0, filters: {}, now: 0 },
  ...{ explain: false, parents: false, settings: toSearchSettings(settingsSchema.parse({})) },
});

test('words are ranked while the query is being embedded', async () => {
  const { promise: wordsAreRanked, resolve } = Promise.withResolvers<void>();
  const overlapping: SearchServices = {
    ...services,
    async embedQuery(text) {
      await wordsAreRanked;
      return services.embedQuery!(text);
    },
    keyword: {
      ...services.keyword,
      search(...asked) {
        resolve();
        return services.keyword.search(...asked);
      },
    },
  };
  const { rankings } = await retrieve(state, overlapping);
  expect(rankings.map(({ lane }) => lane)).toEqual(['semantic', 'keyword']);
});

test('what goes wrong with the embedding is told', async () => {
  const broken = { ...services, embedQuery: () => Promise.reject(new Error('the model is gone')) };
  await expect(retrieve(state, broken)).rejects.toThrow('the model is gone');
});
