/** Reading, relating and listing documents of an index, as a program does. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Index, open } from '../../src/index.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { createVault } from './vault.ts';

const FILES = {
  'tokens.md':
    '---\ntags: [auth, ops/keys]\nauthor: Ann\n---\n# Tokens\n\nRotate them. [[keys]] and [again](keys.md).\n',
  'keys.md': '# Keys\r\n\r\nKeep keys in a safe. [[vault]]\r\n',
  'vault.md': '# Vault\n\nLocks and doors.\n\n```sh\nls\n```\n',
  'sub/bread.md': '---\ntags: [food]\ndate: 2020-01-02\n---\n# Bread\n\nFlour and water.\n',
  'sub/tokens.md': `# Long\n\n${Array.from({ length: 400 }, (_, i) => `Sentence ${i} of a long page.`).join('\n')}\n`,
};

const work = sharedFolder();
let index: Index;

beforeAll(async () => {
  writeFiles(join(work, 'notes'), FILES);
  index = await open({ roots: ['notes'], indexPath: join(work, 'index'), cwd: work });
  await index.sync();
  // What follows must come from the index.
  rmSync(join(work, 'notes'), { recursive: true });
});
afterAll(() => index.close());

describe('read', () => {
  it('gives the text with the lines of the file, front matter apart', async () => {
    expect(await index.read('notes/tokens.md')).toMatchObject({
      documentId: 'notes/tokens.md',
      collection: 'notes',
      path: 'tokens.md',
      title: 'Tokens',
      tags: ['auth', 'ops/keys'],
      frontMatter: { author: 'Ann' },
      linksOut: 2,
      linksIn: 0,
      text: '# Tokens\n\nRotate them. [[keys]] and [again](keys.md).',
      startLine: 5,
      endLine: 7,
      lastLine: 7,
      truncated: false,
    });
  });

  it.each([
    ['notes/keys.md', {}],
    ['keys.md', {}],
    ['./keys.md', {}],
    [() => join(work, 'notes', 'keys.md'), {}],
    ['keys.md:1-3', {}],
    ['keys.md', { startLine: 1, endLine: 3 }],
    ['keys.md', { endLine: 900 }],
  ])('finds %s with %o', async (name, options) => {
    const { documentId, text } = await index.read(typeof name === 'string' ? name : name(), options);
    expect([documentId, text]).toEqual(['notes/keys.md', '# Keys\n\nKeep keys in a safe. [[vault]]']);
  });

  it('gives lines, to the end if no last one is named; lines in the call too are refused', async () => {
    const lines = FILES['sub/tokens.md'].trimEnd().split('\n');
    const { text, startLine, endLine, lastLine } = await index.read('sub/tokens.md:300');
    expect(text).toBe(lines.slice(299).join('\n'));
    expect([startLine, endLine, lastLine]).toEqual([300, 402, 402]);
    expect((await index.read('sub/tokens.md:3-5')).text).toBe(lines.slice(2, 5).join('\n'));
    await expect(index.read('sub/tokens.md:3-5', { startLine: 402 })).rejects.toMatchObject({
      code: 'usage',
    });
  });

  it('gives lines of a document whose name is two lines', async () => {
    const vault = createVault({ 'two\nlines.md': 'One\nTwo\nThree\n' });
    const named = await vault.open();
    await named.sync({ embed: false });
    expect((await named.read('two\nlines.md:2-3')).text).toBe('Two\nThree');
  });

  it('reads the lines of a chunk by its id', async () => {
    const { hits } = await index.search('Sentence 399', { mode: 'keyword', topN: 1, parents: false });
    const [hit] = hits;
    const { text, startLine, endLine } = await index.read(hit!.chunkId);
    expect([text.endsWith('Sentence 399 of a long page.'), endLine]).toEqual([true, hit!.endLine]);
    expect(startLine).toBeLessThanOrEqual(hit!.startLine);
  });

  it('cuts at whole lines where one fits, never inside a pair', async () => {
    const cut = await index.read('sub/tokens.md', { startLine: 3, maxChars: 60 });
    expect(cut).toMatchObject({ endLine: 4, truncated: true, lastLine: 402 });
    expect(cut.text).toBe('Sentence 0 of a long page.\nSentence 1 of a long page.');
    expect(await index.read('sub/tokens.md:402', { maxChars: 8 })).toMatchObject({
      text: 'Sentence',
      truncated: true,
    });
    expect(await index.read('keys.md', { maxChars: 39 })).toMatchObject({ truncated: false });
  });

  it.each([
    ['tokens.md:1-4', 'its text is lines 5–7'],
    ['keys.md:4', 'has no line 4: it has 3 lines.'],
    ['keys.md:5-9', 'has no lines 5–9: it has 3 lines.'],
    ['keys.md:3-2', 'no lines 3–2'],
    ['keys.md:0', 'no line 0:'],
  ])('refuses %s', async (name, message) => {
    await expect(index.read(name)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });

  it('suggests up to three names', async () => {
    await expect(index.read('token.md:3')).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no document token.md in the index.',
      remedy: 'Did you mean notes/tokens.md or notes/sub/tokens.md?',
    });
    await expect(index.read('../../etc/passwd')).rejects.toMatchObject({ code: 'not_found' });
    await expect(index.related('xxxxxxxxxxxxxxxxxxxxxxxx')).rejects.toMatchObject({
      remedy: expect.stringContaining('docfuse list shows all documents'),
    });
  });
});

describe('related', () => {
  const linked = async (name: string, options: Parameters<Index['related']>[1]) => {
    const found = await index.related(name, options);
    return found.linked.map(({ path, distance, links }) => [
      path,
      distance,
      ...links.map((link) => `${link.direction}:${link.source}:${link.line}`),
    ]);
  };

  it('follows links one way or both, as deep as asked', async () => {
    expect(await linked('keys.md', {})).toEqual([
      ['tokens.md', 1, 'in:notes/tokens.md:7', 'in:notes/tokens.md:7'],
      ['vault.md', 1, 'out:notes/keys.md:3'],
    ]);
    expect(await linked('keys.md', { direction: 'out' })).toEqual([['vault.md', 1, 'out:notes/keys.md:3']]);
    expect(await linked('vault.md', { direction: 'out', depth: 3 })).toEqual([]);
    expect(await linked('vault.md', { direction: 'in', depth: 2 })).toEqual([
      ['keys.md', 1, 'in:notes/keys.md:3'],
      ['tokens.md', 2, 'in:notes/tokens.md:7', 'in:notes/tokens.md:7'],
    ]);
  });

  it('orders the links of a document whatever the order it was indexed in', async () => {
    const notes = join(work, 'ordered');
    mkdirSync(notes);
    for (const name of ['a', 'b']) writeFileSync(join(notes, `${name}.md`), 'To [[hub]] and [[end]].\n');
    for (const name of ['hub', 'end']) writeFileSync(join(notes, `${name}.md`), `# ${name}\n`);
    await using ordered = await open({ roots: [notes], indexPath: join(work, 'ordered-index') });
    await ordered.sync({ embed: false });
    writeFileSync(join(notes, 'a.md'), 'To [[hub]] and, by now, [[end]].\n');
    await ordered.sync({ embed: false });
    const { linked } = await ordered.related('hub.md', { depth: 2 });
    expect(linked.at(-1)?.links.map(({ source }) => source)).toEqual(['ordered/a.md', 'ordered/b.md']);
  });

  it('names the community and what means nearly the same, best first, without the document itself', async () => {
    const { document, community, similar, notice } = await index.related('keys.md');
    expect(document).toMatchObject({ path: 'keys.md', linksOut: 1, linksIn: 2 });
    expect(community?.documents).toBe(3);
    expect(community?.members.map(({ path }) => path).sort()).toEqual(['tokens.md', 'vault.md']);
    expect(similar.map(({ path }) => path).sort()).toEqual([
      'sub/bread.md',
      'sub/tokens.md',
      'tokens.md',
      'vault.md',
    ]);
    expect(similar.map(({ similarity }) => similarity)).toEqual(
      similar.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
    );
    expect(
      similar
        .slice(0, 2)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['tokens.md', 'vault.md']);
    expect(notice).toBeUndefined();
  });

  it('compares the lines that are named with passages of other documents, and says where those are', async () => {
    const sentence = (words: string) => `${words} `.repeat(60);
    const vault = createVault({
      'two.md': `# Two\n\n## Baking\n\n${sentence('Flour water salt dough.')}\n\n## Locking\n\n${sentence('Locks keys doors safe.')}\n`,
      'bread.md': '# Food\n\n## Bread\n\nFlour water salt dough.\n',
      'vault.md': '# House\n\n## Vault\n\nLocks keys doors safe.\n',
    });
    const other = await vault.open();
    await other.sync();
    const nearest = async (name: string) => (await other.related(name)).similar[0];
    expect(await nearest('two.md:5')).toMatchObject({
      ...{ path: 'bread.md', headingPath: ['Food', 'Bread'] },
      ...{ startLine: expect.any(Number), endLine: 5 },
    });
    expect(await nearest('two.md:9-9')).toMatchObject({ path: 'vault.md', headingPath: ['House', 'Vault'] });
    // Lines without a passage say nothing: the whole document is compared.
    expect(await nearest('two.md:999')).toMatchObject({ similarity: expect.any(Number) });
  });

  it('stops when asked', async () => {
    await expect(index.related('keys.md', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});

describe('lists', () => {
  it('documents page by page, each once, in order of id', async () => {
    const paths: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await index.list({ limit: 2, ...(cursor && { cursor }) });
      expect(page.total).toBe(5);
      paths.push(...page.documents.map(({ path }) => path));
      cursor = page.nextCursor;
    } while (cursor);
    expect(paths).toEqual(['keys.md', 'sub/bread.md', 'sub/tokens.md', 'tokens.md', 'vault.md']);
  });

  it.each([
    [{ tag: ['ops'] }, ['tokens.md']],
    [{ path: ['sub/**'], before: Date.parse('2021-01-01') }, ['sub/bread.md']],
    [{ lang: ['bash'] }, ['vault.md']],
    [{ lang: ['bash'], author: ['Ann'] }, []],
  ])('only what passes %o', async (filters, paths) => {
    const { documents, total } = await index.list({ filters });
    expect(documents.map(({ path }) => path)).toEqual(paths);
    expect(total).toBe(paths.length);
  });

  it('refuses a cursor that no list gave', async () => {
    await expect(index.list({ cursor: 'next' })).rejects.toMatchObject({ code: 'usage' });
  });

  it('tags, collections and the graph', async () => {
    expect(await index.tags()).toEqual(['auth', 'food', 'ops/keys'].map((tag) => ({ tag, documents: 1 })));
    expect(await index.tags({ filters: { path: ['sub'] } })).toEqual([{ tag: 'food', documents: 1 }]);
    const root = relative(work, (await index.collections())[0]!.root);
    expect([root, await index.collections()]).toEqual([
      'notes',
      [{ name: 'notes', root: join(work, 'notes'), documents: 5 }],
    ]);
    const { nodes, edges, total } = await index.graph({ limit: 3 });
    expect(nodes.map(({ path, neighbours, community }) => [path, neighbours, community])).toEqual([
      ['keys.md', 2, 0],
      ['tokens.md', 1, 0],
      ['vault.md', 1, 0],
    ]);
    expect(edges.map(({ source, target }) => [source, target])).toEqual([
      ['notes/keys.md', 'notes/tokens.md'],
      ['notes/keys.md', 'notes/vault.md'],
    ]);
    expect(total).toBe(5);
  });
});
