import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Filters } from '../../../src/core/model/query.ts';
import { documentFilter, type FilterableDocument, languageFilter } from '../../../src/core/query/filter.ts';

const GUIDE: FilterableDocument = {
  collection: 'docs',
  path: 'guides/Setup/install.md',
  tags: ['Dev/Tools', 'start'],
  category: 'Guide',
  author: 'Zoë Doe',
  modified: Date.UTC(2024, 4, 1),
  frontMatter: {
    status: 'Draft',
    version: 2,
    done: false,
    due: '2024-05-01T10:00:00Z',
    updated: '2024-06-02T08:00:00Z',
    'dotted.key': 'x',
    build: { target: { name: 'web' } },
    people: [{ name: 'Ann' }, { name: 'Bob' }],
    levels: ['one', 2, true],
    nothing: null,
  },
};

function passes(filters: Filters, document = GUIDE): boolean {
  return documentFilter(filters)?.(document) ?? true;
}

test('no filter, or one of empty lists, lets everything pass', () => {
  expect(documentFilter({})).toBeUndefined();
  expect(documentFilter({ tag: [], path: [], where: [], lang: ['ts'] })).toBeUndefined();
});

describe('paths', () => {
  test.each([
    ['guides', true],
    ['guides/', true],
    ['./guides/Setup', true],
    ['guides/Setup/install.md', true],
    ['guides/**', true],
    ['guides/*/*.md', true],
    ['*.md', true],
    ['**/install.{md,txt}', true],
    ['guide', false],
    ['Setup', false],
    ['guides/*.md', false],
    ['*.txt', false],
    ['guides/setup', false],
    ['guides/[', false],
    ['guides/Setup/install.md:4-8', true],
    ['guides/Setup/install.md:4', true],
    ['guides/Setup:4', false],
  ])('%s', (path, expected) => {
    expect(passes({ path: [path] })).toBe(expected);
    expect(passes({ exclude: [path] })).toBe(!expected);
  });

  test('match names that look like globs, and names in either composition', () => {
    expect(passes({ path: ['a [draft].md'] }, { ...GUIDE, path: 'a [draft].md' })).toBe(true);
    expect(passes({ path: ['ä'.normalize('NFC')] }, { ...GUIDE, path: `${'ä'.normalize('NFD')}/x.md` })).toBe(
      true,
    );
  });
});

describe('tags', () => {
  test.each([
    ['dev', true],
    ['#Dev', true],
    ['dev/tools', true],
    ['START', true],
    ['tools', false],
    ['de', false],
    ['dev/tools/more', false],
  ])('%s', (tag, expected) => {
    expect(passes({ tag: [tag] })).toBe(expected);
    expect(passes({ notTag: [tag] })).toBe(!expected);
  });
});

test('author and category are compared whole and without case', () => {
  expect(passes({ author: ['zoë doe'] })).toBe(true);
  expect(passes({ author: ['zoë'] })).toBe(false);
  expect(passes({ category: ['guide'], notAuthor: ['someone'] })).toBe(true);
  expect(passes({ notCategory: ['GUIDE'] })).toBe(false);
  const { author: _, ...anonymous } = GUIDE;
  expect(passes({ author: ['zoë doe'] }, anonymous)).toBe(false);
  expect(passes({ notAuthor: ['zoë doe'] }, anonymous)).toBe(true);
});

test('after is inclusive and before exclusive', () => {
  const time = GUIDE.modified;
  expect(passes({ after: time })).toBe(true);
  expect(passes({ after: time + 1 })).toBe(false);
  expect(passes({ before: time })).toBe(false);
  expect(passes({ before: time + 1 })).toBe(true);
});

test('lists are alternatives and keys hold together', () => {
  expect(passes({ collection: ['notes', 'docs'] })).toBe(true);
  expect(passes({ collection: ['notes'] })).toBe(false);
  expect(passes({ tag: ['none', 'start'], category: ['other'] })).toBe(false);
});

describe('front matter', () => {
  test.each([
    ['status', 'draft', true],
    ['status', 'dra', false],
    ['version', '2', true],
    ['done', 'false', true],
    ['due', '2024-05-01', true],
    ['due', '2024-05-02', false],
    ['updated', '2024-06-02', true],
    ['dotted.key', 'x', true],
    ['build.target.name', 'web', true],
    ['build.target', 'web', false],
    ['people.name', 'bob', true],
    ['levels', '2', true],
    ['levels', 'true', true],
    ['nothing', 'null', false],
    ['missing', '', false],
    ['constructor.name', 'Object', false],
    ['toString', '', false],
  ])('%s is %s: %s', (key, value, expected) => {
    expect(passes({ where: [{ key, value }] })).toBe(expected);
  });

  test('a commit is found by the beginning of its hash, as git shows it', () => {
    const frontMatter = { commit: '004555a361710c68aaaabbbbccccddddeeeeffff', other: '004555a361710c68' };
    const found = (key: string, value: string) =>
      passes({ where: [{ key, value }] }, { ...GUIDE, frontMatter });
    expect([found('commit', '004555A361710c68'), found('commit', '004555a')]).toEqual([true, true]);
    const mine = (commit: number | string[]) =>
      passes({ where: [{ key: 'commit', value: '12345678' }] }, { ...GUIDE, frontMatter: { commit } });
    expect([mine(12345678), mine(['12345678'])]).toEqual([true, true]);
    expect([found('commit', '004555'), found('commit', '004555b'), found('other', '004555a')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('entries of one key are alternatives, different keys hold together', () => {
    const status = { key: 'status', value: 'draft' };
    expect(passes({ where: [{ key: 'status', value: 'final' }, status] })).toBe(true);
    expect(passes({ where: [{ key: 'version', value: '3' }, status] })).toBe(false);
  });

  test('of any shape never fails', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.string(),
        (frontMatter, key, value) => {
          expect(typeof passes({ where: [{ key, value }] }, { ...GUIDE, frontMatter })).toBe('boolean');
        },
      ),
    );
  });
});

test('languages of a chunk are matched without case', () => {
  expect(languageFilter({})).toBeUndefined();
  expect(languageFilter({ lang: ['TS', 'js'] })?.(['css', 'ts'])).toBe(true);
  expect(languageFilter({ lang: ['ts'] })?.(['css'])).toBe(false);
  expect(languageFilter({ lang: ['C#'] })?.(['csharp'])).toBe(true);
  expect(languageFilter({ lang: ['go'] })?.(['golang'])).toBe(true);
});
