/** Documents are found by the names that links give them, and sections by their headings. */
import { expect, it } from 'vitest';
import { createVault } from './vault.ts';

const PAGES = {
  'docs/tutorial/cors.md': '---\naliases: [Sharing]\n---\n# Cross-origin sharing\n',
  'docs/tutorial/first-steps.md': '# Begin\n',
  'docs/openapi/mkdocs.md': '# Pages\n',
  'docs/encoders.md': '# Encoders\n',
  'docs/my cats/tom.md': '# Tom\n',
  ...Object.fromEntries(['a', 'b', 'c', 'd'].map((folder) => [`docs/${folder}/twin.md`, '# Twin\n'])),
  'docs/c/Other.md': '# Twin\n',
  'docs/c/other.md': '# Twin\n',
  'docs/b/pair.md': '# Pair\n',
  'docs/c/d/pair.md': '# Pair\n',
  'docs/a/b/pair.md': '# Pair\n',
  'docs/search.md': '# Find\n',
  'docs/lock.topic.md': '# Locks\n',
  'docs/lock.topic.tags.md': '# Labels\n',
};

it.each([
  ['first-steps.md:1', 'docs/tutorial/first-steps.md'],
  ['first-steps', 'docs/tutorial/first-steps.md'],
  ['Tutorial/CORS', 'docs/tutorial/cors.md'],
  ['/tutorial/cors.md', 'docs/tutorial/cors.md'],
  ['notes/docs/tutorial/cors', 'docs/tutorial/cors.md'],
  ['sharing', 'docs/tutorial/cors.md'],
  ['cross-origin sharing#cross-origin-sharing', 'docs/tutorial/cors.md'],
  ['c/twin', 'docs/c/twin.md'],
  ...(process.platform === 'linux' ? [['other', 'docs/c/other.md']] : []),
])('resolves names as links do: %s', async (name, path) => {
  const own = await createVault(PAGES).open();
  await own.sync({ embed: false });
  expect((await own.read(name!)).path).toBe(path);
  expect((await own.related(name!)).document.path).toBe(path);
});

it.each([
  ['guide/Cors.md', 'Did you mean notes/docs/tutorial/cors.md?'],
  ['steps', 'Did you mean notes/docs/tutorial/first-steps.md?'],
  ['encoder', 'Did you mean notes/docs/encoders.md?'],
  ['lock.topic.tagz', 'Did you mean notes/docs/lock.topic.tags.md?'],
  ['lock.topic.tagz.md', 'Did you mean notes/docs/lock.topic.tags.md?'],
  ['encoder.mdd', 'Did you mean notes/docs/encoders.md?'],
  ['nosuch.md', 'docfuse list shows all documents.'],
  ['.', 'docfuse list shows all documents.'],
  ['', 'Name one; docfuse list shows all documents.'],
  ['docs', 'docfuse list --path notes/docs lists its documents.'],
  ['./docs/tutorial/', 'docfuse list --path notes/docs/tutorial lists its documents.'],
  ['my cats', 'docfuse list --path "notes/docs/my cats" lists its documents.'],
  ['b/pair', 'Write notes/docs/b/pair.md or notes/docs/a/b/pair.md.'],
  ['pair', 'Write notes/docs/b/pair.md, notes/docs/a/b/pair.md or notes/docs/c/d/pair.md.'],
  [
    'twin.md',
    'Write more of the path, such as notes/docs/a/twin.md, notes/docs/b/twin.md or notes/docs/c/twin.md.',
  ],
])('says what may be meant by %s', async (name, remedy) => {
  const own = await createVault(PAGES).open();
  await own.sync({ embed: false });
  await expect(own.read(name)).rejects.toMatchObject({ remedy });
  await expect(own.related(name)).rejects.toMatchObject({ remedy });
});

it('reads the section under a heading, with its subsections, by text or anchor', async () => {
  const page = [
    ...[
      '---',
      'a: 1',
      '---',
      '# Tags & more',
      'Top.',
      '',
      '## `foam` *tags*: 1.5 {#own}',
      'One.',
      '### Deep',
    ],
    ...['Two.', '', '## Tags', 'Three.', '', '## Tags', '```', '# no heading', '```', '', '# Last', 'End.'],
  ];
  const blocks = [
    '# Blocks',
    '',
    'Sow,',
    'then water. ^steps',
    '',
    '- one',
    '- two ^second',
    '',
    '| a |',
    '| - |',
    '',
    '^table',
  ];
  const own = await createVault({
    'blocks.md': blocks.join('\n'),
    'page.md': page.join('\n'),
    'a#b.md': '# A\n\n## B\n',
  }).open();
  await own.sync({ embed: false });
  const lines = async (name: string) => {
    const { startLine, endLine } = await own.read(name);
    return [startLine, endLine];
  };
  for (const [name, expected] of [
    ['page.md#tags--more', [4, 18]],
    ['page.md#tags-more', [4, 18]],
    ['notes/page.md#foam-tags-15', [7, 10]],
    ['page#`foam` tags: 1.5', [7, 10]],
    ['page#foam_tags-1-5', [7, 10]],
    ['page#Deep', [9, 10]],
    ['page#tags', [12, 13]],
    ['page#tags-1', [15, 18]],
    ['page#last', [20, 21]],
    ['blocks#^steps', [3, 4]],
    ['blocks#^second', [7, 7]],
    ['blocks#^table', [9, 12]],
    ['a#b', [1, 3]],
    ['a#b.md#b', [3, 3]],
  ] as const)
    expect([name, await lines(name)]).toEqual([name, expected]);
  await expect(own.read('blocks#^none')).rejects.toMatchObject({ code: 'not_found' });
  expect((await own.related('page#deep')).document.path).toBe('page.md');
  await expect(own.read('page#foam')).rejects.toMatchObject({
    code: 'not_found',
    message: 'notes/page.md has no section #foam.',
    remedy: 'Did you mean #foam-tags-15?',
  });
  await expect(own.read('page#zebra')).rejects.toMatchObject({
    remedy: 'Read the document without # to see its headings.',
  });
  await expect(own.read('page#deep', { startLine: 3 })).rejects.toMatchObject({ code: 'usage' });
});
