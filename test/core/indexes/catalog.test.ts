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

test('keeps ids, sections, contents and languages of documents with scattered slots, until they are removed', () => {
  const catalog = createCatalog();
  const slots = [7, 3_000_000, 3_000_004];
  const idOf = (slot: number) => slot.toString(16).padStart(13, '0');
  for (const number of [1, 2]) {
    const chunks = slots.map((slot) => ({
      slot: slot + number,
      id: idOf(slot + number),
      languages: slot === 7 ? [`of${number}`] : [],
      content: number === 1 ? slot : 0,
      ...(slot > 7 && { parentId: idOf(number) }),
    }));
    catalog.addDocument({ ...FACTS, number, id: `${number}.md`, modified: 0 }, chunks);
  }
  catalog.updateDocument({ ...FACTS, id: '2.md', number: 2, title: 'B', modified: 0 });
  expect([8, 9, 3_000_002, 10].map(catalog.idOf)).toEqual([idOf(8), idOf(9), idOf(3_000_002), '']);
  expect([8, 3_000_001, 3_000_002].map(catalog.parentOf)).toEqual([undefined, idOf(1), idOf(2)]);
  expect([8, 9, 3_000_001].map(catalog.contentOf)).toEqual([7, 0, 3_000_000]);
  expect([8, 9, 3_000_002].map(catalog.isShown)).toEqual([true, true, true]);
  expect([...catalog.languages()]).toEqual(['of1', 'of2']);
  catalog.removeDocument(1);
  expect([8, 9].map(catalog.idOf)).toEqual(['', idOf(9)]);
  expect([...catalog.languages()]).toEqual(['of2']);
});

test.each(['five', 'FFFFFFFFFFFFF', '00000000000001', ''])('refuses "%s" as the id of a chunk', (id) => {
  const add = () =>
    createCatalog().addDocument({ ...FACTS, modified: 0 }, [{ slot: 0, id, languages: [], content: 1 }]);
  expect(add).toThrow(expect.objectContaining({ code: 'usage' }));
});
