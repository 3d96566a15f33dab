/** Folders with several versions of the same pages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { open } from '../../src/engine/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'docfuse-versions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['copies', () => ''],
  ['nearly the same', (version: number) => ` Since ${version}.`],
])('versions of pages that are %s leave room for all other pages', async (name, differs) => {
  const docs = join(folder, name);
  for (let version = 0; version < 30; version++) {
    mkdirSync(join(docs, `v${version}`), { recursive: true });
    for (let page = 0; page < 8; page++) {
      const letter = 'abcdefgh'[page]!;
      const text = `The lantern ${'glows at night. '.repeat(page + 1)}${letter.repeat(60)}${differs(version)}`;
      writeFileSync(join(docs, `v${version}`, `page${page}.md`), `# Page ${letter}\n\n${text}\n`);
    }
  }
  const settings = { search: { max_chunks_per_doc: 0 } };
  await using index = await open({ roots: [docs], indexPath: join(folder, `${name}-index`), settings });
  await index.sync({ embed: false });
  const ask = async (topN: number) =>
    (await index.search('lantern', { mode: 'keyword', minConfidence: 0, topN })).hits;
  const hits = await ask(8);
  expect(hits.map(({ title }) => title).toSorted()).toEqual([...'abcdefgh'].map((page) => `Page ${page}`));
  expect(hits.map(({ merged }) => merged?.length)).toEqual(Array(8).fill(29));
  expect((await ask(3)).map(({ chunkId }) => chunkId)).toEqual(
    hits.slice(0, 3).map(({ chunkId }) => chunkId),
  );
});

test('versions of a page count as one document, for the limit of a document and for the lead of a hit', async () => {
  const others = (letter: string) => Array.from({ length: 150 }, (_, at) => `${letter}${at}`).join(' ');
  const sections = [...'abcd'].map((letter) => `## ${letter}\n\nThe lantern is lit. ${others(letter)}.\n\n`);
  const pages = {
    'guide.md': `# Lantern\n\n${sections.join('')}`,
    'other.md': '# Boats\n\nA boat may have a lantern.\n',
  };
  const found = async (versions: number) => {
    const docs = join(folder, `of-${versions}`);
    for (let version = 0; version < versions; version++) {
      mkdirSync(join(docs, `v${version}`), { recursive: true });
      for (const [name, text] of Object.entries(pages)) writeFileSync(join(docs, `v${version}`, name), text);
    }
    await using index = await open({ roots: [docs], indexPath: join(folder, `of-${versions}-index`) });
    await index.sync({ embed: false });
    const { hits } = await index.search('lantern lit', { mode: 'keyword', minConfidence: 0, parents: false });
    return hits.map(({ path, confidence }) => [path.replace(/^v\d+./, ''), confidence]);
  };
  const one = await found(1);
  expect(one.map(([path]) => path)).toEqual(['guide.md', 'guide.md', 'other.md']);
  const three = await found(3);
  expect(three.map(([path]) => path)).toEqual(one.map(([path]) => path));
  expect(three.slice(0, 2)).toEqual(one.slice(0, 2));
});
