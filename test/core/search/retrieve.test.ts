import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { createEmbeddedRetrieval } from '../../../src/core/retrieval/embedded-retrieval.ts';
import { retrieve } from '../../../src/core/search/retrieve.ts';
import { initialState, type SearchServices } from '../../../src/core/search/state.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../../src/engine/config/settings.ts';
import { rankingsOf } from '../../support/found.ts';
import { type MemorySearch, memoryIndex } from '../../support/memory-services.ts';

const { parts, services } = memoryIndex([
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
    retrieval: createEmbeddedRetrieval({
      ...parts,
      keyword: {
        ...parts.keyword,
        search(...asked) {
          resolve();
          return parts.keyword.search(...asked);
        },
      },
    }),
  };
  const { found } = await retrieve(state, overlapping);
  expect(rankingsOf(found).map(({ lane }) => lane)).toEqual(['semantic', 'keyword']);
});

test('what goes wrong with the embedding is told', async () => {
  const broken = { ...services, embedQuery: () => Promise.reject(new Error('the model is gone')) };
  await expect(retrieve(state, broken)).rejects.toThrow('the model is gone');
});

const CODE = memoryIndex([
  { path: 'ts.md', text: '# Users\n\n```ts\ngetUserById(7)\n```\n' },
  { path: 'py.md', text: '# Users\n\n```py\ngetUserById(7)\n```\n' },
  { path: 'prose.md', text: '# Users\n\nCall getUserById with the id of a user.\n' },
]);

test.each([
  ['a signal in the query', 'getUserById', {}, {}, ['py.md', 'ts.md']],
  ['lang: in the query', 'user lang:ts', {}, {}, ['ts.md']],
  ['a language beside the query', 'user', { filters: { lang: ['py'] } }, {}, ['py.md']],
  ['the mode', 'user', { mode: 'code' }, {}, ['py.md', 'ts.md']],
  [
    'the mode, though it is switched off',
    'user',
    { mode: 'code' },
    { codeSearchEnabled: false },
    ['py.md', 'ts.md'],
  ],
  ['nothing: neither sign nor wish', 'the id of a user', {}, {}, undefined],
  ['nothing, where it is switched off', 'getUserById', {}, { codeSearchEnabled: false }, undefined],
  ['nothing, where it weighs nothing', 'getUserById', {}, { codeSearchWeight: 0 }, undefined],
  ['nothing by words alone', 'getUserById', { mode: 'keyword' }, {}, undefined],
] as const)('the ranking by code is asked for by %s', async (_, query, options, settings, found) => {
  const { found: answer, weights } = await CODE.search(query, { ...options, settings } as MemorySearch);
  const code = rankingsOf(answer).find(({ lane }) => lane === 'code');
  const paths = code?.entries.map(({ slot }) => CODE.parts.catalog.documentOf(slot)?.path);
  expect(paths?.sort()).toEqual(found);
  expect((weights.fusion.code ?? 0) > 0).toBe(found !== undefined);
});
