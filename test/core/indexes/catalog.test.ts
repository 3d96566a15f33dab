/** What the catalog keeps of a document. */
import { expect, test } from 'vitest';
import { catalogDocument, createCatalog } from '../../../src/core/indexes/catalog.ts';

const FACTS = {
  number: 1,
  id: 'notes/a.md',
  collection: 'notes',
  path: 'a.md',
  title: 'A',
  tags: [],
  frontMatter: {},
};

const [FIVE, EIGHT, PARENT] = ['0000000000005', 'fffffffffffff', '0000000000000'] as const;

test('keeps nothing that a search does not need, and prefers the date of the front matter', () => {
  const parsed = { ...FACTS, text: 'A long text.', sections: [], date: '2026-01-31', modified: 5 };
  expect(catalogDocument(parsed)).toEqual({ ...FACTS, modified: Date.UTC(2026, 0, 31) });
  expect(catalogDocument({ ...FACTS, author: 'Ada', modified: 5 })).toEqual({
    ...FACTS,
    author: 'Ada',
    modified: 5,
  });
});

test('reads the chunks of a stored document at their first use, and takes those that are gone for not live', () => {
  const catalog = createCatalog();
  let reads = 0;
  catalog.addStored({ ...FACTS, modified: 0 }, [5, 6, 8], () => {
    reads++;
    return [
      { slot: 5, id: FIVE, languages: [], content: 0 },
      { slot: 8, id: EIGHT, languages: ['ts'], content: 3, parentId: PARENT },
    ];
  });
  expect([catalog.chunks, catalog.documentOf(8)?.id, catalog.slotsOf(1), reads]).toEqual([
    ...[3, 'notes/a.md', [5, 6, 8], 0],
  ]);
  expect([5, 6, 8, 9].map(catalog.idOf)).toEqual([FIVE, '', EIGHT, '']);
  expect([5, 6, 8].map(catalog.contentOf)).toEqual([0, 0, 3]);
  expect([5, 6, 8].map(catalog.isShown)).toEqual([false, false, true]);
  expect([catalog.parentOf(8), catalog.firstShown(1), [...catalog.languages()]]).toEqual([PARENT, 8, ['ts']]);
  expect([...catalog.mask([], [(languages) => languages.includes('ts')])!]).toEqual([
    0, 0, 0, 0, 0, 0, 0, 0, 1,
  ]);
  catalog.updateDocument({ ...FACTS, title: 'B', modified: 0 });
  expect([catalog.documentOf(8)?.title, catalog.idOf(8), reads]).toEqual(['B', EIGHT, 1]);
});
