/** Properties of Logseq pages and blocks, and titles and dates from names that Logseq and Notion give to files. */
import { describe, expect, it, test } from 'vitest';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';

describe('properties at the start of a page', () => {
  it('are its front matter, with the lines of the file kept', () => {
    const text =
      'title:: Love apples\nalias:: Tomatoes, [[Pomodori]]\ntags:: #[[kitchen garden]], red\nrated:: 5\n\n- Water them.\n';
    expect(parseDocument('pages/a.md', text)).toMatchObject({
      title: 'Love apples',
      aliases: ['Tomatoes', 'Pomodori'],
      tags: ['kitchen garden', 'red'],
      frontMatter: { rated: '5' },
      text: '\n- Water them.\n',
      firstLine: 5,
      warnings: [],
    });
  });

  it('may be the whole file, and may end without a line break', () => {
    expect(parseDocument('a.md', 'type:: person\r\nauthor:: Ada')).toMatchObject({
      ...{ category: 'person', author: 'Ada', text: '', frontMatter: { author: 'Ada' } },
    });
  });

  it.each([
    'std::vector grows.\n',
    'Usage::\n\n    run it\n',
    'x\na:: b\n',
    '- a:: b\n',
    `a:: ${'b'.repeat(70_000)}`,
  ])('are not read from other text: %j', (text) =>
    expect(parseDocument('a.md', text)).toMatchObject({ text, frontMatter: {}, firstLine: 1 }),
  );
});

describe('a title from the name of a file', () => {
  it.each([
    ['pages/plants___tomato.md', 'plants/tomato'],
    ['graph/pages/plants%2Ftomato.md', 'plants/tomato'],
    ['pages/100%.md', '100%'],
    ['pages/sub/a___b.md', 'a___b'],
    ['a___b.md', 'a___b'],
    ['Plan 0f1e2d3c4b5a69788796a5b4c3d2e1f0.md', 'Plan'],
    ['0f1e2d3c4b5a69788796a5b4c3d2e1f0.md', '0f1e2d3c4b5a69788796a5b4c3d2e1f0'],
    ['Commit 0f1e2d3c4b5a.md', 'Commit 0f1e2d3c4b5a'],
  ])('%s', (path, title) => expect(parseDocument(path, 'text').title).toBe(title));
});

test('ids and folds of blocks are not shown; other properties of blocks, and sentences, are', () => {
  const id = '65f0c0de-1234-4abc-9def-0123456789ab';
  const text = `- Water them.\n  id:: ${id}\n  collapsed:: true\n\t- At dawn.\n\t  id:: ${id}\n`;
  expect(parseDocument('a.md', `x\n\n${text}`).text).toBe('x\n\n- Water them.\n\n\n\t- At dawn.\n\n');
  for (const shown of ['- a\n  due:: dawn\n', 'See id:: 7 here.\n', `x\n\n    id:: ${id}\n`])
    expect(parseDocument('a.md', shown).text).toBe(shown);
});

test('a journal has the date of its name if it gives no other', () => {
  const dateOf = (path: string, text = 'text') => parseDocument(path, text).date;
  expect(dateOf('graph/journals/2026_11_20.md')).toBe('2026-11-20');
  expect(dateOf('journals/2026_11_20.md', 'date:: 2024-05-31\n')).toBe('2024-05-31');
  expect(['journals/2026_13_20.md', 'notes/2026_11_20.md'].map((path) => dateOf(path))).toEqual([
    undefined,
    undefined,
  ]);
});
