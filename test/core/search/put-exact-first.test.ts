/** What the query says word by word comes first, whatever else weighs. */
import { expect, test } from 'vitest';
import { memoryIndex } from '../../support/memory-services.ts';

const { search } = memoryIndex([
  {
    path: 'guide/0007-token-rotation.md',
    text: '# Seven\n\nNothing here says how it is called, and nobody knows what it says.\n',
  },
  {
    path: 'rotation.md',
    text: '# Rotation\n\nToken rotation: token rotation, token rotation.\n\n## Token rotation in short\n\nRotate it.\n',
  },
  {
    path: 'short.md',
    text: `# Short\n\n${'Words about something else. '.repeat(30)}\n\n## Token rotation\n\nYes.\n`,
  },
  {
    path: 'long.md',
    text: '# Long\n\nIn the end you keep the old token for a day, and\nthen you *forget* it for good.\n',
  },
  {
    path: 'old.md',
    text: '# Old\n\nForget the old day, then keep a token in the end for you. An old token, for a day.\n',
  },
  {
    path: 'build.md',
    text: `# Build\n\n\`\`\`sh\n# install dependencies\nmake\n\n${'make install of dependencies\n'.repeat(90)}# install dependencies\n${'make install\n'.repeat(20)}\`\`\`\n`,
  },
  {
    path: 'begin.md',
    text: `# Begin\n\n${'Words about something else. '.repeat(30)}\n\nInstall dependencies\n---\n\nThe first step.\n`,
  },
  { path: 'café menu.md', text: '# Lunch\n\nSoup. Nobody knows what it says.\n' },
]);

const paths = async (query: string, settings = {}) => {
  const { hits } = await search(query, { topN: 10, minConfidence: 0, settings });
  return hits.map(({ path }) => path);
};

test.each([
  ['a file name', '0007-token-rotation', 'guide/0007-token-rotation.md'],
  ['a file name with its extension', '0007-token-rotation.md', 'guide/0007-token-rotation.md'],
  ['a file name in other letters', 'Cafe Menu', 'café menu.md'],
  ['a heading', 'token rotation', 'short.md'],
  ['an underlined heading, not a comment in code', 'install dependencies', 'begin.md'],
  ['a sentence, over the end of a line and emphasis', 'then you forget it for good', 'long.md'],
])('%s', async (_, query, path) => {
  expect((await paths(query))[0]).toBe(path);
});

test.each([
  ['init.author.email', '## `init-author-email`', 'old.md'],
  ['init-author-email', '## `init-author-email`', 'new.md'],
  ['init-author-email', '## 2. [init-author-email](new.md) ##', 'new.md'],
])('of two headings with these words, %s as typed, where %s is one', async (query, heading, path) => {
  const block = '```sh\n# init-author-email\nnpm init\n```\n';
  const options = memoryIndex([
    {
      path: 'old.md',
      text: `# Old\n\n## init.author.email\n\n${'See init-author-email. '.repeat(9)}\n\n${block}`,
    },
    { path: 'new.md', text: `# New\n\n${heading}\n\nThe address of the author.\n` },
  ]);
  const { hits } = await options.search(query, { minConfidence: 0 });
  expect(hits[0]!.path).toBe(path);
});

const FOLDERS = Array.from({ length: 30 }, (_, index) => `a/${index}`);
const tree = memoryIndex([
  ...FOLDERS.map((folder) => ({
    path: `${folder}/set-up.md`,
    text: `# Set-up ${folder}\n\nNotes of b, which is set up by md. See docs/b/set-up.md.\n`,
  })),
  ...['set-up.md', 'docs/b/set-up.md'].map((path) => ({
    path,
    text: '# Start\n\nInstall it.\n\n## Go on\n\nYes.\n',
  })),
]);

test.each([
  ['docs/b/set-up.md', 'docs/b/set-up.md'],
  ['b/set-up', 'docs/b/set-up.md'],
  ['../docs/b/set-up.md:3', 'docs/b/set-up.md'],
  ['/home/me/notes/docs/b/set-up.md', 'docs/b/set-up.md'],
  ['notes\\docs\\b\\set-up.md:3:1', 'docs/b/set-up.md'],
  ['./set-up.md', 'set-up.md'],
  ['notes/set-up.md', 'set-up.md'],
  ['elsewhere/set-up.md', 'set-up.md'],
])('the path %s', async (query, path) => {
  const { hits } = await tree.search(query, { topN: 3, settings: { contentDedupEnabled: false } });
  expect([hits[0]!.path, hits[0]!.score >= 0.95]).toEqual([path, true]);
});

test('the end of a file name is no path', async () => {
  const { hits } = await tree.search('x/up.md', { explain: true, minConfidence: 0 });
  expect(JSON.stringify(hits.map(({ explanation }) => explanation))).not.toContain('exact match');
});

test('the confidence of an exact match is high, and no hit above it is less sure', async () => {
  const { hits } = await search('then you forget it for good', { topN: 10, minConfidence: 0.9 });
  expect(hits[0]!.path).toBe('long.md');
  expect(hits[0]!.score).toBeGreaterThanOrEqual(0.95);
});

test('what two pages say word by word is no address', async () => {
  const { hits } = await search('nobody knows what it says', { topN: 10, minConfidence: 0, explain: true });
  expect(JSON.stringify(hits.map(({ explanation }) => explanation))).not.toContain('exact match');
});

test('three words in a row are no sentence', async () => {
  const { hits } = await search('keep the old', { topN: 10, minConfidence: 0, explain: true });
  expect(JSON.stringify(hits.map(({ explanation }) => explanation))).not.toContain('exact match');
});

test('without the setting a heading is worth what its words are', async () => {
  expect((await paths('token rotation', { exactFirstEnabled: false }))[0]).toBe('rotation.md');
});
