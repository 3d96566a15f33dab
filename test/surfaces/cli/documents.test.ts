import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'docs/a.md': '---\ntags: [x]\n---\n# Ann\n\nSee [b](sub/b.md).\n',
  'docs/sub/b.md': '# Bob\n\u001b[31mred\n',
});
const docfuse = (...args: string[]) => playground.runHere(args);
beforeAll(async () => {
  await docfuse('index', 'docs', '--no-embed');
});
afterAll(() => playground[Symbol.dispose]());

test('read prints the text, lines of it, or what is nearest', async () => {
  expect(await docfuse('read', 'docs/a.md', 'docs')).toEqual({
    code: 0,
    stdout: '# Ann\n\nSee [b](sub/b.md).\n',
    stderr: '',
  });
  expect((await docfuse('read', 'docs/a.md:6', 'docs')).stdout).toBe('See [b](sub/b.md).\n');
  expect((await docfuse('read', 'sub/b.md:2-2', 'docs')).stdout).toBe('␛[31mred\n');
  expect((await docfuse('read', 'a.md', 'docs', '--max-chars', '5')).stderr).toBe('Cut after line 4 of 6.\n');
  const { code, stdout, stderr } = await docfuse('read', 'docs/an.md', 'docs');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/There is no document docs\/an\.md in the index\.\nDid you mean docs\/a\.md/);
});

test('read of a file saved a moment ago, by its path or its place in the folder, says that it is not indexed yet', async () => {
  playground.write({ 'docs/new.md': '# New\n', 'outside.md': '# Out\n' });
  for (const name of ['docs/new.md', 'new.md:1']) {
    const { code, stderr } = await docfuse('read', name, 'docs');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: docs\/new\.md is not in the index yet\.\nTo add new files, run docfuse index docs;/,
    );
  }
  expect((await docfuse('read', 'outside.md', 'docs')).stderr).toContain(
    'There is no document outside.md in',
  );
});

test('read says of a page of components alone that it shows no text', async () => {
  playground.write({ 'parts/only.mdx': "import A from './a'\n\n<A />\n" });
  await docfuse('index', 'parts', '--no-embed');
  const stderr = 'The page shows no text in lines 1 to 3.\n';
  expect(await docfuse('read', 'only.mdx', 'parts')).toEqual({ code: 0, stdout: '', stderr });
});

test('read and related take the names of links, from any folder, and read a heading, too', async () => {
  for (const name of ['b', 'bob', 'sub/b.md', 'docs/sub/b.md#bob', 'B#Bob']) {
    expect(await docfuse('read', name, 'docs')).toMatchObject({ code: 0, stdout: '# Bob\n␛[31mred\n' });
    expect((await docfuse('related', name, 'docs')).stdout).toContain('docs/sub/b.md  Bob\n');
  }
  expect((await docfuse('read', 'docs/sub/b.md#bib')).stderr).toMatch(
    /^error: docs\/sub\/b\.md has no section #bib\.\nDid you mean #bob\?$/m,
  );
  const folder = 'error: docs/sub is a folder, not a document.\ndocfuse list docs/sub lists its documents.\n';
  expect((await docfuse('read', 'docs/sub', 'docs')).stderr).toBe(folder);
});

test('read without the folder that was indexed says where it looked, and does not send the user to index', async () => {
  const { code, stderr } = await docfuse('read', 'a.md');
  expect(code).toBe(1);
  expect(stderr).toContain(`There is no index of ${playground.folder}.\nIf other folders were searched`);
});

test('a folder without documents, and one that was never indexed, say why there is nothing', async () => {
  playground.write({ 'pages/a.py': 'page = 1', 'later/a.md': '# Later\n' });
  const kinds =
    /docfuse formats lists the kinds of files that are read; to read others, set include in docfuse\.toml\.$/m;
  expect((await docfuse('index', 'pages', '--no-embed')).stderr).toMatch(kinds);
  expect((await docfuse('search', 'page', 'pages', '--mode', 'keyword')).stderr).toMatch(kinds);
  expect((await docfuse('read', 'a.md', 'pages')).stderr).toMatch(kinds);
  for (const command of ['list', 'list tags', 'audit', 'read a.md']) {
    const { code, stderr } = await docfuse(...command.split(' '), 'later');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: There is no index of .*later\.$/m)]);
  }
});

test('the first search of a folder says what it has indexed, and where', async () => {
  playground.write({ 'lamps/a.md': '# Lamps\n\nA lamp burns.\n' });
  const search = ['search', 'lamp', 'lamps', '--mode', 'keyword'];
  const says = `Indexed ${join(playground.folder, 'lamps')}; the index lies in ${join(playground.folder, '.data')}`;
  expect((await docfuse(...search, '--no-sync')).stderr).not.toContain('Indexed');
  expect((await docfuse(...search)).stderr).toContain(says);
  expect((await docfuse(...search)).stderr).not.toContain('Indexed');
});

test('a search in a folder without documents says so and leaves no index behind', async () => {
  playground.write({ 'void/a.py': 'page = 1' });
  const { stderr } = await docfuse('search', 'page', 'void', '--mode', 'keyword');
  expect(stderr).toContain('The index holds no documents;');
  const { stdout } = await docfuse('indexes');
  expect(stdout).toContain('docs-');
  expect(stdout).not.toContain('void');
});

test('--path and --exclude take a path as a hit shows it', async () => {
  playground.write({ 'deep/er/docs/sub/b.md': '# Bob\n', 'deep/er/docs/a.md': '# Ann\n' });
  await docfuse('index', 'deep/er/docs', '--no-embed');
  const list = async (...args: string[]) => (await docfuse('list', 'deep/er/docs', ...args)).stdout;
  const [ann, bob] = ['deep/er/docs/a.md  Ann\n', 'deep/er/docs/sub/b.md  Bob\n'];
  expect(await list('--path', 'deep/er/docs/sub')).toBe(bob);
  expect(await list('--path', './deep/er/docs/sub/b.md')).toBe(bob);
  expect(await list('--exclude', 'deep/er/docs/sub/**')).toBe(ann);
  expect(await list('--path', 'sub')).toBe(bob);
});

test('related prints links with the place where they stand', async () => {
  expect(await docfuse('related', 'c.md', 'docs')).toMatchObject({ code: 1 });
  const { stdout, stderr } = await docfuse('related', 'docs/sub/b.md', 'docs');
  expect(stdout).toBe(
    'docs/sub/b.md  Bob\n\nLinked\n  docs/a.md  Ann\n    links here at docs/a.md:6 (relative)\n\n' +
      'In a community with 1 other document\n  docs/a.md  Ann\n',
  );
  expect(stderr).toBe('No passage has a vector yet.\n');
});

test('list prints documents page by page, tags and collections', async () => {
  const first = await docfuse('list', 'docs', '-n', '1');
  expect(first.stdout).toBe('docs/a.md  Ann\n');
  const cursor = /1 of 2 documents; more with --cursor (\S+)\n/.exec(first.stderr)![1]!;
  expect(await docfuse('list', 'docs', '--cursor', cursor)).toMatchObject({
    stdout: 'docs/sub/b.md  Bob\n',
    stderr: '2 documents\n',
  });
  playground.write({
    'dated/a.md': '---\ndate: 2020-01-02\n---\n# Old\n',
    'dated/b.md': '---\ndate: 2024-05-06\n---\n',
  });
  await docfuse('index', 'dated', '--no-embed');
  expect((await docfuse('list', 'dated', '--sort', 'date')).stdout).toBe(
    'dated/b.md  2024-05-06  b\ndated/a.md  2020-01-02  Old\n',
  );
  expect((await docfuse('list', 'docs', '--tag', 'x')).stdout).toBe('docs/a.md  Ann\n');
  expect((await docfuse('list', 'docs', '--tag', 'xx')).stderr).toBe(
    'No document passes the filter tag:xx (nearest: tag:x).\n0 documents\n',
  );
  expect((await docfuse('list', 'tags', 'docs')).stdout).toBe('x  1\n');
  expect((await docfuse('list', 'tags', 'docs', '--author', 'Nobody')).stdout).toBe('');
  expect((await docfuse('list', 'collections', 'docs', '--json')).stdout).toContain('"documents": 2');
  expect((await docfuse('graph', 'docs')).stdout).toBe('docs/a.md — docs/sub/b.md\n');
});

test('audit prints broken links, copies and the documents with the most passages, and what it leaves out', async () => {
  const long = Array.from(
    { length: 10 },
    (_, part) => `## Part ${part}\n\n${`Words of part ${part}. `.repeat(60)}\n\n`,
  );
  using vault = createPlayground({
    'notes/a.md': `# Ann\n\n${long.join('')}`,
    'notes/sub/b.md': `# Ann\n\n${long.join('')}## More\n\nOne more part with other words.\n`,
    'notes/c.md': '# Cid\n\n[[gone]]\n\n[lost](lost.md)\n',
    'notes/d.md': '# Cid\n\n[[gone]]\n\n[lost](lost.md)\n',
  });
  await vault.runHere(['index', 'notes', '--no-embed']);
  const { stdout, stderr } = await vault.runHere(['audit', 'notes', '-n', '3']);
  const [links, copies, longest] = stdout.split(/^(?=Documents with|Most)/m);
  expect(links).toBe(
    'Broken links: 4\n  notes/c.md:3  gone\n  notes/c.md:5  lost.md\n  notes/d.md:3  gone\n  and 1 more; --limit shows more\n',
  );
  expect(copies).toMatch(
    /^Documents with copies: 2\n {2}notes\/a\.md\n {4}notes\/sub\/b\.md {2}\d\d % of its passages\n {2}notes\/c\.md\n {4}notes\/d\.md\n$/,
  );
  expect(longest).toMatch(
    /^Most passages\n {2}notes\/a\.md {2}10 passages, \d+(\.\d)? KB\n {2}notes\/sub\/b\.md {2}\d+ passages/,
  );
  expect(stderr).toBe('4 documents looked at\n');
  expect((await vault.runHere(['audit', 'notes/sub'])).stdout).toMatch(
    /^Broken links: 0\nDocuments with copies: 0\n/,
  );
});

test.each(['audit', 'map'])('%s says that no document passes the filters', async (command) => {
  using vault = createPlayground({ 'notes/a.md': '# A\n\n[[b]]\n', 'notes/b.md': '# B\n\n[[gone]]\n' });
  await vault.runHere(['index', 'notes', '--no-embed']);
  const { code, stdout, stderr } = await vault.runHere([command, 'notes', '--tag', 'zzz']);
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toBe('No document passes the filters, or the index holds none.\n');
});

test('status prints communities, their largest members, and links that lead nowhere', async () => {
  using vault = createPlayground({
    'notes/a.md': '# Ann\n\n[[b]] [[c]] [[gone]]\n',
    'notes/b.md': '# Bob\n\n[[c]]\n',
    'notes/c.md': '# Cid\n',
    'notes/d.md': '# Dan\n\n[[e]]\n',
    'notes/e.md': '# Eve\n',
    'notes/f.md': '# Fay, with nobody\n',
  });
  await vault.runHere(['index', 'notes', '--no-embed']);
  vault.write({
    'hub/a.md': '# A\n\n[[z]]\n',
    'hub/b.md': '# B\n\n[[z]] [[a]]\n',
    'hub/y.md': '# Y\n\n[[z]]\n',
    'hub/z.md': '# Z\n',
  });
  await vault.runHere(['index', 'hub', '--no-embed']);
  expect((await vault.runHere(['graph', 'hub'])).stdout).toBe(
    'hub/z.md — hub/a.md\nhub/z.md — hub/b.md\nhub/z.md — hub/y.md\nhub/a.md — hub/b.md\n',
  );
  const { stdout } = await vault.runHere(['status', 'notes']);
  const lines = stdout.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => line.startsWith('Links'));
  expect(lines.slice(at, at + 5)).toEqual([
    expect.stringMatching(/^Links\s+5, 1 of them to no document$/),
    expect.stringMatching(/a\.md:3 links to gone, which does not exist$/),
    expect.stringMatching(/^Communities\s+2$/),
    '3 documents: Ann, Bob, Cid',
    '2 documents: Dan, Eve',
  ]);
});

test('status says how many broken links it does not list', async () => {
  const links = Array.from({ length: 8 }, (_, place) => `[[missing ${place}]]`).join(' ');
  using vault = createPlayground({ 'a.md': `# A\n\n${links}\n` });
  await vault.runHere(['index', '--no-embed']);
  expect((await vault.runHere(['status'])).stdout).toMatch(/^ +and 3 more$/m);
});

test('status and audit say of a link that leads out of the indexed folder that it does', async () => {
  using vault = createPlayground({
    'README.md': '# Read me\n',
    'notes/sub/a.md': '# Ann\n\n[up](../../README.md)\n\n[gone](../gone.md)\n',
  });
  await vault.runHere(['index', 'notes', '--no-embed']);
  const { stdout } = await vault.runHere(['status', 'notes']);
  expect(stdout).toContain('a.md:3 links to ../../README.md, which is outside of the indexed folder\n');
  expect(stdout).toContain('a.md:5 links to ../gone.md, which does not exist\n');
  expect((await vault.runHere(['audit', 'notes'])).stdout).toMatch(
    /a\.md:3 {2}\.\.\/\.\.\/README\.md {2}outside of the indexed folder\n.*a\.md:5 {2}\.\.\/gone\.md\n/,
  );
});
