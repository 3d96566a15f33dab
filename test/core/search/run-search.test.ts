import { expect, test } from 'vitest';
import type { RetrievalRequest } from '../../../src/core/retrieval/retrieval.ts';
import { runSearch } from '../../../src/core/search/run-search.ts';
import { initialState, type SearchServices } from '../../../src/core/search/state.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const PAGES = [...'abcdefgh'];
/** Versions of eight pages. */
const versions = (count: number) =>
  Array.from({ length: count }, (_, version) =>
    PAGES.map((page) => ({
      path: `v${version}/${page}.md`,
      text: `# Page ${page}\n\nThe lantern glows. ${page.repeat(60)}`,
    })),
  ).flat();

/** Searches for `lantern`, and notes which methods were called. */
async function calls(count: number, settings: object = {}) {
  const { services, search } = memoryIndex(versions(count));
  const { request } = await search('lantern', { topN: 8, explain: true, settings });
  const noted: string[] = [];
  const numbers = new Map<RetrievalRequest, number>();
  const note = (name: string, asked: RetrievalRequest) => {
    if (!numbers.has(asked)) numbers.set(asked, numbers.size + 1);
    noted.push(`${name} ${numbers.get(asked)}`);
  };
  const { retrieval } = services;
  const watched: SearchServices = {
    ...services,
    async embedQuery(text) {
      noted.push('embed');
      return services.embedQuery!(text);
    },
    retrieval: {
      ...retrieval,
      retrieve(asked) {
        note('retrieve', asked);
        return retrieval.retrieve(asked);
      },
      explain(asked, slots) {
        note('explain', asked);
        return retrieval.explain(asked, slots);
      },
      release(asked) {
        note('release', asked);
        retrieval.release?.(asked);
      },
    },
  };
  const clock = { now: () => 0, monotonic: () => 0 };
  const { hits } = await runSearch(initialState(request), watched, clock);
  return { noted, titles: hits.map(({ title }) => title).toSorted() };
}

const ALL = PAGES.map((page) => `Page ${page}`);

test('a search without copies asks once, and ends its request after it was explained', async () => {
  expect(await calls(1)).toEqual({ noted: ['embed', 'retrieve 1', 'explain 1', 'release 1'], titles: ALL });
});

test.each([30, 200])(
  'a search among %d copies of each page finds all pages, asks twice and embeds once',
  async (count) => {
    const noted = ['embed', 'retrieve 1', 'release 1', 'retrieve 2', 'explain 2', 'release 2'];
    expect(await calls(count)).toEqual({ noted, titles: ALL });
  },
);

test('a search that merges no copies asks once', async () => {
  const { noted } = await calls(30, { contentDedupEnabled: false, ngramDedupEnabled: false });
  expect(noted.filter((each) => each.startsWith('retrieve'))).toEqual(['retrieve 1']);
});
