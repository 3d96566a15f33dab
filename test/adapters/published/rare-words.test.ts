/** Searches by words without common words, in a real PostgreSQL. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { PASSAGES } from '../../../src/adapters/published/conditions.ts';
import type { Search } from '../../../src/adapters/published/engine.ts';
import { dimensionOf } from '../../../src/adapters/published/format.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { type RareSearch, searchRareWords } from '../../../src/adapters/published/rare-words.ts';
import { manyFiles, requestOf } from '../../contracts/drawn-requests.ts';
import type { MemoryFile } from '../../support/memory-services.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource, openRetrieval } from '../../support/published/publish-memory.ts';

/** Ten texts hold `common`; those with an even number also `rare`. */
const TEN = Array.from({ length: 10 }, (_, number) => ({
  path: `${number}.md`,
  text: `common${number % 2 === 0 ? ' rare' : ''}\n`,
}));

async function openReader(files: readonly MemoryFile[] = TEN) {
  const pglite = await openPglite();
  onTestFinished(() => pglite.close());
  const place = { url: pglite.url, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 };
  const engine = await openPostgres({ ...place, name: 'rare' });
  onTestFinished(() => engine.close());
  await publish(engine, memorySource(files), { now: Date.now });
  const reader = engine.reader((await engine.state())!);
  const asked: Search[] = [];
  const search: typeof reader.search = (searches, wanted) => {
    asked.push(...searches);
    return reader.search(searches, wanted);
  };
  const watched = { ...reader, search };
  return { engine: { ...engine, reader: () => watched }, reader: watched, asked };
}

const searchFor = (limit: number, weights: Readonly<Record<string, number>>): RareSearch => ({
  ...{ where: PASSAGES, limit, mayLeaveOut: true },
  by: {
    weights: {
      keyword: new Map(Object.entries(weights).map(([word, weight]) => [dimensionOf(word), weight])),
    },
  },
});

const wordsOf = ({ by }: Search) => (by && 'weights' in by ? [...by.weights.keyword!.keys()] : []);

test('a common word is left out if the rare ones find enough', async () => {
  const { reader, asked } = await openReader();
  const { found } = await searchRareWords(reader, [searchFor(5, { common: 0.1, rare: 5 })]);
  expect(found[0]!.map(({ id }) => id).toSorted()).toEqual([0, 2, 4, 6, 8]);
  expect(asked.map(wordsOf)).toEqual([[dimensionOf('rare')]]);
});

test('if they find too little, all words are searched', async () => {
  const { reader, asked } = await openReader();
  const all = searchFor(8, { common: 0.1, rare: 5 });
  const other = searchFor(3, { common: 1 });
  const wanted = { keys: ['document'] };
  const answers = await searchRareWords(reader, [other, all], wanted);
  expect(answers).toEqual(await reader.search([other, all], wanted));
  expect(asked.slice(0, 3).map((each) => wordsOf(each).length)).toEqual([1, 1, 2]);
});

test('words that matter as much as others are all searched', async () => {
  const { reader, asked } = await openReader();
  const few = searchFor(1, { common: 0.1, rare: 5 });
  const ties = searchFor(1, {
    rare: 8,
    ...Object.fromEntries(Array.from('abcdefghij', (word) => [word, 1])),
  });
  await searchRareWords(reader, [
    ...[searchFor(1, { common: 1, rare: 1 }), searchFor(1, { common: 0 })],
    ...[ties, { ...few, mayLeaveOut: false }],
  ]);
  expect(asked.map((each) => wordsOf(each).length)).toEqual([2, 1, 11, 2]);
});

test('the collections of the contract in which nearly all texts hold a word lead to searches without it', async () => {
  const [files] = fc.sample(manyFiles, { numRuns: 1, seed: 1 });
  const { engine, asked } = await openReader(files);
  const retrieval = await openRetrieval(engine);
  await retrieval.retrieve(requestOf({ asked: 'alpha beta', filters: {}, depth: 3, lanes: ['keyword'] }));
  expect(asked.map(wordsOf)).toEqual([[dimensionOf('alpha')]]);
});
