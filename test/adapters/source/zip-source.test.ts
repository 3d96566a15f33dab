/** The ZIP source: the contract, and what archives of other programs hold. */
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { FileRulesOptions } from '../../../src/adapters/source/file-rules.ts';
import { createZipSource } from '../../../src/adapters/source/zip-source.ts';
import type { Source } from '../../../src/core/ports.ts';
import { listed, sourceContract } from '../../contracts/source-contract.ts';
import { type MadeEntry, makeZip } from '../../support/make-zip.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function zipOf(documents: Readonly<Record<string, string>>): Buffer {
  return makeZip(Object.entries(documents).map(([name, data]) => ({ name, data })));
}

function sourceOf(zip: Uint8Array, options: Partial<FileRulesOptions> = {}): Source {
  return createZipSource({ root: join(temporaryFolder({ 'notes.zip': zip }), 'notes.zip'), ...options });
}

const madeBy = (program: string) =>
  readFileSync(fileURLToPath(new URL(`archives/${program}.zip`, import.meta.url)));
const pathsIn = async (source: Source) => (await listed(source)).files.map(({ path }) => path);
const textOf = async (source: Source, path: string) => {
  const read = await source.read(path);
  return 'text' in read ? read.text : `${read.reason}: ${read.detail}`;
};

sourceContract('zip', (documents) => sourceOf(zipOf(documents)));
sourceContract('zip, stored', (documents) =>
  sourceOf(makeZip(Object.entries(documents).map(([name, data]) => ({ name, data, method: 0 })))),
);
sourceContract('zip64', (documents) =>
  sourceOf(
    makeZip(
      Object.entries(documents).map(([name, data]) => ({ name, data })),
      { zip64: true },
    ),
  ),
);

describe('an archive of another program', () => {
  it('may be streamed: Python', async () => {
    const source = sourceOf(madeBy('python'));
    const { files, skipped } = await listed(source);
    expect(files.map(({ path, size }) => [path, size])).toEqual([
      ['Garten/Beete.md', 43],
      ['Garten/Gießkanne.md', 32],
      ['README.md', 26],
    ]);
    expect(skipped).toEqual([]);
    expect(await textOf(source, 'Garten/Gießkanne.md')).toBe('# Gießkanne\n\nFasst zehn Liter.\n');
    expect(await textOf(source, 'Garten/Beete.md')).toContain('# Beete');
    expect(await textOf(source, 'README.md')).toContain('Stored as it is.');
  });

  it('may have links and encrypted entries, which are named: zip', async () => {
    const source = sourceOf(madeBy('info-zip'));
    const { files, skipped } = await listed(source);
    expect(files.map(({ path }) => path)).toEqual(['sub/Straße.md', 'sub/open.md']);
    expect(files[1]!.modified).toBe(Date.UTC(2024, 4, 31, 12));
    const links = 'it is a symbolic link, and links in archives are not followed';
    expect(skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'link.md', reason: 'unreadable', detail: links },
      { path: 'out.md', reason: 'unreadable', detail: links },
      { path: 'secret.md', reason: 'unreadable', detail: 'it is encrypted' },
    ]);
    expect(await textOf(source, 'sub/open.md')).toBe('# Open\n\nText.\n');
  });
});

describe('which entries are documents', () => {
  it('is decided as in a folder: by name, ignore files, hidden and built folders, include and exclude', async () => {
    const zip = zipOf({
      'a.md': '',
      'a.png': '',
      '.obsidian/workspace.md': '',
      '__MACOSX/._a.md': '',
      'node_modules/b.md': '',
      'vault/.gitignore': 'drafts/\nsecret.md\n',
      'vault/drafts/c.md': '',
      'vault/d.md': '',
      'vault/secret.md': '',
      'tool/package.json': '{}',
      'tool/dist/e.md': '',
      'graph/pages/p.md': '',
      'graph/logseq/bak/p.md': '',
      'logseq/manual.md': '',
      'cache/CACHEDIR.TAG': '',
      'cache/f.md': '',
      'other/g.adoc': '',
    });
    expect(await pathsIn(sourceOf(zip))).toEqual([
      ...['a.md', 'graph/pages/p.md', 'logseq/manual.md', 'other/g.adoc', 'vault/d.md'],
    ]);
    expect(await pathsIn(sourceOf(zip, { include: ['*.PNG'], exclude: ['vault'] }))).toEqual(['a.png']);
    expect(await pathsIn(sourceOf(zip, { exclude: ['vault', 'other/', 'graph', 'logseq'] }))).toEqual([
      'a.md',
    ]);
  });

  it('leaves out a file that is too large, with the limits of a folder', async () => {
    const zip = makeZip([
      { name: 'a.md', data: 'x'.repeat(11) },
      { name: 'b.md', data: 'x' },
    ]);
    const { files, skipped } = await listed(sourceOf(zip, { maxBytes: 10 }));
    expect(files.map(({ path }) => path)).toEqual(['b.md']);
    expect(skipped).toEqual([{ path: 'a.md', reason: 'too_large', detail: '11 bytes, more than 10' }]);
  });
});

describe('names of entries', () => {
  it.each([
    ['UTF-8 with its flag', 'Größe.md', 'Größe.md'],
    ['UTF-8 without it', Buffer.from('Größe.md'), 'Größe.md'],
    ['CP437', Buffer.from([0x47, 0x72, 0x94, 0xe1, 0x65, 0x2e, 0x6d, 0x64]), 'Größe.md'],
    ['backslashes', 'a\\b\\c.md', 'a/b/c.md'],
    ['empty parts and dots', './a//b/./c.md', 'a/b/c.md'],
  ])('%s', async (_, name, path) => {
    const source = sourceOf(makeZip([{ name, data: 'text' }]));
    expect(await pathsIn(source)).toEqual([path]);
    expect(await textOf(source, path)).toBe('text');
  });

  it('that differ in letter case are two documents', async () => {
    const source = sourceOf(zipOf({ 'a.md': 'small', 'A.md': 'large' }));
    expect(await pathsIn(source)).toEqual(['A.md', 'a.md']);
    expect([await textOf(source, 'a.md'), await textOf(source, 'A.md')]).toEqual(['small', 'large']);
  });

  it('that occur twice mean the last entry, with a warning if the contents differ', async () => {
    const twice = (name: string, ...data: readonly string[]): MadeEntry[] =>
      data.map((each) => ({ name, data: each }));
    const source = sourceOf(makeZip([...twice('a.md', 'old', 'new'), ...twice('b.md', 'same', 'same')]));
    expect(await pathsIn(source)).toEqual(['a.md', 'b.md']);
    expect(await source.read('a.md')).toMatchObject({
      text: 'new',
      warnings: [expect.stringContaining('several')],
    });
    expect(await source.read('b.md')).toMatchObject({ text: 'same', warnings: [] });
  });
});

describe('a Notion export', () => {
  const PART = 'Export-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0-Part-1.zip';
  const pages = { 'Plan 0f1e2d3c4b5a69788796a5b4c3d2e1f0.md': '# Plan', 'Tasks/a.md': 'deep' };

  it.each([0, 8])('holds its pages in archives inside the archive (method %i)', async (method) => {
    const zip = makeZip([
      { name: 'index.md', data: 'outer' },
      // A stored part is read in place, so only the checksums of its entries are compared.
      { name: PART, data: zipOf(pages), method, ...(method === 0 && { crc: 1 }) },
      { name: PART.replace('1.zip', '2.zip'), data: zipOf({ 'b.md': 'second', [PART]: 'none' }), method },
      { name: 'Photos.zip', data: zipOf({ 'c.md': 'not an export' }), method },
      { name: `sub/${PART}`, data: zipOf({ 'd.md': 'not at the top' }), method },
    ]);
    const source = sourceOf(zip);
    const { files, skipped } = await listed(source);
    expect(files.map(({ path }) => path)).toEqual([...Object.keys(pages), 'b.md', 'index.md'].sort());
    expect(skipped).toEqual([]);
    for (const [path, text] of Object.entries(pages)) expect(await textOf(source, path)).toBe(text);
    expect(await textOf(source, 'b.md')).toBe('second');
  });

  it('with a damaged part is read without it, and the part is named', async () => {
    const zip = makeZip([
      { name: PART, data: 'no archive' },
      { name: 'a.md', data: 'a' },
    ]);
    const { files, skipped } = await listed(sourceOf(zip));
    expect(files.map(({ path }) => path)).toEqual(['a.md']);
    expect(skipped).toMatchObject([{ path: PART, reason: 'unreadable' }]);
  });
});

describe('an archive that changes', () => {
  it('is listed anew, and keeps what identifies an unchanged entry', async () => {
    const root = join(temporaryFolder({ 'notes.zip': zipOf({ 'a.md': 'a', 'b.md': 'b' }) }), 'notes.zip');
    const source = createZipSource({ root });
    const before = (await listed(source)).files;
    expect(await textOf(source, 'a.md')).toBe('a');
    const date = new Date(before[0]!.modified);
    writeFileSync(
      root,
      makeZip([
        { name: 'b.md', data: 'B', date },
        { name: 'c.md', data: 'c' },
        { name: 'a.md', data: 'a', date },
      ]),
    );
    expect(await textOf(source, 'b.md')).toMatch(/^b$|^unreadable: /); // never a mixture
    const after = (await listed(source)).files;
    expect(after.map(({ path }) => path)).toEqual(['a.md', 'b.md', 'c.md']);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]!.altered).not.toBe(before[1]!.altered);
    expect(await textOf(source, 'b.md')).toBe('B');
  });

  it('is heard of by its name, and by the name that a link to it leads to', async () => {
    const folder = temporaryFolder({ 'real/notes-1.zip': zipOf({ 'a.md': 'a' }) });
    symlinkSync('real/notes-1.zip', join(folder, 'notes.zip'));
    const source = createZipSource({ root: join(folder, 'notes.zip') });
    const folders: unknown[] = [];
    for await (const _ of source.list(() => {}, undefined, { onFolder: (each) => folders.push(each) }));
    expect(folders).toEqual([folder, join(folder, 'real')].map((place) => ({ path: '', place })));
    const touched = ['notes.zip', 'notes-1.zip', 'a.md'].map((path) => source.touchedBy(path, false));
    expect(touched).toEqual(['', '', undefined]);
  });

  it('says what is wrong with a file that is missing, no archive, cut or a folder', async () => {
    const folder = temporaryFolder({
      'text.zip': 'only text',
      'empty.zip': '',
      'cut.zip': zipOf({ 'a.md': 'a', 'b.md': 'b' }).subarray(0, 90),
      'folder.zip/a.md': '',
    });
    for (const [name, message] of [
      ['none.zip', 'There is no file or folder'],
      ['text.zip', 'cannot be read as a ZIP archive'],
      ['empty.zip', 'cannot be read as a ZIP archive'],
      ['cut.zip', 'cannot be read as a ZIP archive'],
      ['folder.zip', 'not a regular file'],
    ] as const) {
      const failing = listed(createZipSource({ root: join(folder, name) }));
      await expect(failing, name).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining(message),
      });
    }
  });

  it('may vanish between listing and reading', async () => {
    const root = join(temporaryFolder({ 'notes.zip': zipOf({ 'a.md': 'a' }) }), 'notes.zip');
    const source = createZipSource({ root });
    await listed(source);
    rmSync(root);
    renameSync(join(temporaryFolder({ 'x.zip': zipOf({ 'a.md': 'other' }) }), 'x.zip'), root);
    expect(await textOf(source, 'a.md')).toMatch(/^a$|^unreadable: .*changed/);
  });
});
