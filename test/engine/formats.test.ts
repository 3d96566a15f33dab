/** Files in other formats are indexed, found and read by page; files that cannot be converted are named once and left alone. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

const FILES = join(import.meta.dirname, '../adapters/formats/files');

test('a PDF is found by its words and cited by page, and its pages can be read', async () => {
  const vault = createVault({ 'note.md': '# Note\n\nNothing about signals.\n' });
  for (const name of ['manual.pdf', 'rules.docx', 'tides.ipynb'])
    copyFileSync(join(FILES, name), join(vault.folder, name));
  const index = await vault.open();
  await index.sync({ embed: false });
  const { hits } = await index.search('twice a minute', {
    mode: 'keyword',
    minConfidence: 0,
    filters: { path: ['*.pdf'] },
  });
  expect(hits[0]).toMatchObject({ path: 'manual.pdf', page: 2, title: 'Manual of the lighthouse' });
  const page = await index.read('manual.pdf#page=2');
  expect(page.text.trim()).toBe(
    '# Fog signals\n\nIn fog the horn sounds twice a minute.\n\nBring compressed air to seven bar before the horn is started.',
  );
  expect(page.frontMatter).toEqual({ title: 'Manual of the lighthouse', author: 'Ada Keeper' });
  await expect(index.read('manual.pdf#page=4')).rejects.toThrow('has no page 4: it has 3 pages.');
  const code = await index.search('high_water', { mode: 'code', minConfidence: 0 });
  expect(code.hits[0]).toMatchObject({ path: 'tides.ipynb', codeLanguage: 'python' });
  expect(code.hits[0]).not.toHaveProperty('page');
});

test('a file that cannot be converted is tried again only after a change', async () => {
  const vault = createVault({ 'note.md': '# Note\n' });
  const file = join(vault.folder, 'locked.pdf');
  copyFileSync(join(FILES, 'encrypted.pdf'), file);
  const index = await vault.open();
  const problem = { path: expect.stringMatching(/locked\.pdf$/), reason: 'not_converted' };
  const first = await index.sync({ embed: false });
  expect(first).toMatchObject({ added: 1, skipped: [problem] });
  const second = await index.sync({ embed: false });
  expect(second).toMatchObject({ added: 0, unchanged: 1, skipped: [problem] });
  expect(second.skipped).toEqual(first.skipped);
  writeFileSync(file, readFileSync(join(FILES, 'manual.pdf')));
  expect(await index.sync({ embed: false })).toMatchObject({ added: 1, unchanged: 1, skipped: [] });
  copyFileSync(join(FILES, 'drawing.pdf'), file);
  expect(await index.sync({ embed: false })).toMatchObject({ removed: 1, skipped: [problem] });
});

test('references between AsciiDoc files, and between those of Sphinx, are links of the graph', async () => {
  const vault = createVault({
    'a.adoc': '= A\n\nSee xref:b.adoc[B].\n\ninclude::missing.adoc[tag=x]\n',
    'b.adoc': '= B\n\nRead <<sub/c.adoc#x,more>>.\n\n----\ninclude::code.rb[]\n----\n',
    'sub/c.adoc': '= C\n\n[#x]\n== X\n\nText.\n',
    'd.rst': 'D\n===\n\nSee :doc:`sub/3.12` and :doc:`the last <f>`.\n',
    'sub/3.12.rst': 'E\n===\n\nBack to :std:doc:`../d`.\n',
    'f.rst': 'F\n===\n\nText.\n',
  });
  const index = await vault.open();
  await index.sync({ embed: false });
  const { edges } = await index.graph();
  const pairs = edges.map(({ source, target }) =>
    [source, target].map((id) => id.replace('notes/', '')).sort(),
  );
  expect(pairs.sort()).toEqual([
    ['a.adoc', 'b.adoc'],
    ['b.adoc', 'sub/c.adoc'],
    ['d.rst', 'f.rst'],
    ['d.rst', 'sub/3.12.rst'],
  ]);
  expect((await index.audit()).brokenLinks.count).toBe(0);
  expect((await index.read('b.adoc')).text).not.toContain('code.rb');
});
