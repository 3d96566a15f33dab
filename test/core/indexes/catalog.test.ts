/** What the catalog keeps of a document. */
import { expect, test } from 'vitest';
import { catalogDocument } from '../../../src/core/indexes/catalog.ts';

const FACTS = {
  number: 1,
  id: 'notes/a.md',
  collection: 'notes',
  path: 'a.md',
  title: 'A',
  tags: [],
  frontMatter: {},
};

test('keeps nothing that a search does not need, and prefers the date of the front matter', () => {
  const parsed = { ...FACTS, text: 'A long text.', sections: [], date: '2026-01-31', modified: 5 };
  expect(catalogDocument(parsed)).toEqual({ ...FACTS, modified: Date.UTC(2026, 0, 31) });
  expect(catalogDocument({ ...FACTS, author: 'Ada', modified: 5 })).toEqual({
    ...FACTS,
    author: 'Ada',
    modified: 5,
  });
});
