/** Folders with several versions of the same pages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/engine/open.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();

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
