/** The folder source: the contract, and what real folders hold. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileRulesOptions } from '../../../src/adapters/source/file-rules.ts';
import { createFolderSource } from '../../../src/adapters/source/folder-source.ts';
import { listed, sourceContract } from '../../contracts/source-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

sourceContract('folder', (documents) => createFolderSource({ root: temporaryFolder(documents) }));

async function pathsIn(root: string, options: Partial<FileRulesOptions> = {}): Promise<readonly string[]> {
  const { files } = await listed(createFolderSource({ root, ...options }));
  return files.map((file) => file.path);
}

describe('which files are taken', () => {
  it('takes text files by extension, in any letter case', async () => {
    const names = ['a.md', 'b.MD', 'c.Markdown', 'd.mdx', 'e.txt', 'f.rst', 'g.png', 'md', 'h.md.bak'];
    const root = temporaryFolder(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(await pathsIn(root)).toEqual(names.slice(0, 6));
  });

  it('obeys include and exclude, names at any depth and folders as a whole', async () => {
    const root = temporaryFolder({
      'README.md': '',
      'docs/a.md': '',
      'docs/README.md': '',
      'docs/drafts/b.md': '',
      'other/c.md': '',
      'other/d.adoc': '',
    });
    expect(await pathsIn(root, { include: ['docs/**/*.md'] })).toEqual([
      'docs/README.md',
      'docs/a.md',
      'docs/drafts/b.md',
    ]);
    expect(await pathsIn(root, { include: ['*.adoc', 'README.md'] })).toEqual([
      'README.md',
      'docs/README.md',
      'other/d.adoc',
    ]);
    expect(await pathsIn(root, { exclude: ['drafts/', 'README.md', './other/**'] })).toEqual(['docs/a.md']);
    expect(await pathsIn(root, { exclude: ['DOCS/**', 'docs/drafts'] })).toHaveLength(5);
    expect(await pathsIn(root, { include: [] })).toEqual([]);
  });

  it('keeps the characters of a path as they are on disk', async () => {
    const names = ['e\u0301.md', 'é.md', ' lead.md', 'a#b.md', 'c\\d.md', 'new\nline.md'];
    const root = temporaryFolder(Object.fromEntries(names.map((name) => [name, name])));
    const source = createFolderSource({ root });
    expect(await pathsIn(root)).toEqual(names.toSorted());
    for (const name of names) expect(await source.read(name)).toMatchObject({ text: name });
  });

  it('skips hidden entries and node_modules, but not a hidden root', async () => {
    const root = temporaryFolder({
      '.notes/a.md': '',
      '.notes/.b.md': '',
      '.notes/.git/c.md': '',
      '.notes/node_modules/p/README.md': '',
      '.notes/docs/node_modules/p/README.md': '',
    });
    expect(await pathsIn(root)).toEqual([]);
    expect(await pathsIn(join(root, '.notes'))).toEqual(['a.md']);
  });

  it('reads folders named build, dist, out and target unless something says that a tool fills them', async () => {
    const names = ['build', 'dist', 'out', 'target'];
    const documents = Object.fromEntries(names.map((name) => [`${name}/a.md`, '']));
    expect(await pathsIn(temporaryFolder(documents))).toEqual(Object.keys(documents));
    expect(await pathsIn(temporaryFolder({ ...documents, 'package.json': '{}' }))).toEqual([
      'build/a.md',
      'out/a.md',
      'target/a.md',
    ]);
    expect(await pathsIn(temporaryFolder({ ...documents, 'Cargo.toml': '' }))).not.toContain('target/a.md');
    expect(await pathsIn(temporaryFolder({ ...documents, 'out/CACHEDIR.TAG': '' }))).not.toContain(
      'out/a.md',
    );
    const kept = temporaryFolder({ ...documents, 'package.json': '{}', '.docfuseignore': '!dist/' });
    expect(await pathsIn(kept)).toContain('dist/a.md');
  });

  it('takes a single file whatever its name and nothing else', async () => {
    const root = temporaryFolder({ 'notes.log': 'x', 'a.md': 'y', '.gitignore': '*.log' });
    const source = createFolderSource({ root: join(root, 'notes.log') });
    expect((await listed(source)).files.map((file) => file.path)).toEqual(['notes.log']);
    expect(await source.read('notes.log')).toMatchObject({ text: 'x' });
    expect(await source.read('a.md')).toMatchObject({ reason: 'outside_root' });
  });

  it('finds nothing in an empty folder', async () => {
    expect(await pathsIn(temporaryFolder())).toEqual([]);
  });
});

describe('symbolic links', () => {
  it('lists a linked file or folder once, under its own path where it has one', async () => {
    const root = temporaryFolder({ 'real/a.md': 'a', '.hidden/b.md': 'b', '.hidden/deep/c.md': 'c' });
    symlinkSync('real', join(root, 'alias'));
    symlinkSync(join('real', 'a.md'), join(root, 'a-link.md'));
    symlinkSync('.hidden', join(root, 'seen'));
    symlinkSync('.hidden', join(root, 'seen-too'));
    symlinkSync(join('.hidden', 'b.md'), join(root, 'z.md'));
    expect(await pathsIn(root)).toEqual(['real/a.md', 'seen/b.md', 'seen/deep/c.md']);
    expect(await createFolderSource({ root }).read('seen/b.md')).toMatchObject({ text: 'b' });
  });

  it('lists a file once when links to it and to folders around it overlap', async () => {
    const root = temporaryFolder({ '.hidden/b.md': 'b', '.hidden/deep/c.md': 'c', '.hidden/d.md': 'd' });
    symlinkSync(join('.hidden', 'b.md'), join(root, 'a.md'));
    symlinkSync(join('.hidden', 'deep'), join(root, 'part'));
    symlinkSync('.hidden', join(root, 'whole'));
    expect(await pathsIn(root)).toEqual(['a.md', 'part/c.md', 'whole/d.md']);
  });

  it('comes to an end in loops', async () => {
    const root = temporaryFolder({ 'a/b/x.md': '', '.hidden/y.md': '' });
    symlinkSync('..', join(root, 'a', 'up'));
    symlinkSync('.', join(root, 'a', 'here'));
    symlinkSync('self', join(root, 'self'));
    symlinkSync('one', join(root, 'two'));
    symlinkSync('two', join(root, 'one'));
    symlinkSync(join('..', '.hidden'), join(root, '.hidden', 'again'));
    symlinkSync('.hidden', join(root, 'in'));
    expect(await pathsIn(root)).toEqual(['a/b/x.md', 'in/y.md']);
  });

  it('never leaves the root, neither to list nor to read', async () => {
    const outside = temporaryFolder({ 'secret.md': 'secret', 'root-twin/x.md': '' });
    const root = temporaryFolder({ 'a.md': '' });
    symlinkSync(join(outside, 'secret.md'), join(root, 's.md'));
    symlinkSync(outside, join(root, 'folder'));
    const source = createFolderSource({ root });
    const { files, skipped } = await listed(source);
    expect(files.map((file) => file.path)).toEqual(['a.md']);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['folder', 'outside_root'],
      ['s.md', 'outside_root'],
    ]);
    for (const path of ['s.md', 'folder/secret.md']) {
      expect(await source.read(path)).toMatchObject({ path, reason: 'outside_root' });
    }
    expect(await source.read(join('..', '..', 'etc', 'passwd'))).not.toHaveProperty('text');
  });

  it('does not take a sibling whose name begins like the root for a part of it', async () => {
    const folder = temporaryFolder({ 'docs/a.md': '', 'docs-old/b.md': 'old' });
    symlinkSync(join('..', 'docs-old'), join(folder, 'docs', 'old'));
    expect(await pathsIn(join(folder, 'docs'))).toEqual(['a.md']);
  });

  it('follows a root that is a link', async () => {
    const folder = temporaryFolder({ 'real/a.md': 'a', 'one.md': '1' });
    symlinkSync('real', join(folder, 'link'));
    symlinkSync(join('real', 'a.md'), join(folder, 'file.md'));
    expect(await pathsIn(join(folder, 'link'))).toEqual(['a.md']);
    const single = createFolderSource({ root: join(folder, 'file.md') });
    expect((await listed(single)).files.map((file) => file.path)).toEqual(['file.md']);
    expect(await single.read('file.md')).toMatchObject({ text: 'a' });
  });

  it('tells of a broken link, or one to itself, with the name of a document', async () => {
    const root = temporaryFolder();
    for (const name of ['a.md', 'picture.png']) symlinkSync('nowhere', join(root, name));
    symlinkSync('b.md', join(root, 'b.md'));
    const { skipped } = await listed(createFolderSource({ root }));
    expect(skipped).toEqual(['a.md', 'b.md'].map((path) => ({ path, reason: 'broken_link' })));
  });
});

describe('files that cannot be had', () => {
  it('skips and reports files that are too large', async () => {
    const root = temporaryFolder({ 'big.md': 'x'.repeat(101), 'fits.md': 'x'.repeat(100) });
    const source = createFolderSource({ root, maxBytes: 100 });
    const { files, skipped } = await listed(source);
    expect(files.map((file) => file.path)).toEqual(['fits.md']);
    expect(skipped).toMatchObject([{ path: 'big.md', reason: 'too_large' }]);
    writeFileSync(join(root, 'fits.md'), 'x'.repeat(101));
    expect(await source.read('fits.md')).toMatchObject({ reason: 'too_large' });
    const single = await listed(createFolderSource({ root: join(root, 'big.md'), maxBytes: 100 }));
    expect(single).toMatchObject({ files: [], skipped: [{ path: 'big.md', reason: 'too_large' }] });
  });

  it('takes files up to 10 MiB', async () => {
    const size = 10 * 1024 * 1024;
    const root = temporaryFolder({ 'a.md': 'x'.repeat(size), 'b.md': 'x'.repeat(size + 1) });
    expect(await pathsIn(root)).toEqual(['a.md']);
  });

  it('says that a file is binary', async () => {
    const root = temporaryFolder({ 'a.md': Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 9) });
    expect(await createFolderSource({ root }).read('a.md')).toEqual({ path: 'a.md', reason: 'binary' });
  });

  it('says that a file has vanished, or has become a folder, since it was listed', async () => {
    const root = temporaryFolder({ 'a.md': 'x', 'b.md': 'x', 'c.md': 'x' });
    const source = createFolderSource({ root });
    await listed(source);
    for (const name of ['a.md', 'b.md']) rmSync(join(root, name));
    mkdirSync(join(root, 'b.md'));
    expect(await source.read('a.md')).toMatchObject({ path: 'a.md', reason: 'unreadable' });
    expect(await source.read('b.md')).toMatchObject({ path: 'b.md', reason: 'unreadable' });
    expect(await source.read('c.md')).toMatchObject({ text: 'x' });
  });

  it.skipIf(process.platform === 'win32')('does not hang on a pipe', async () => {
    const root = temporaryFolder({ 'a.md': 'x' });
    execFileSync('mkfifo', [join(root, 'b.md')]);
    expect(await pathsIn(root)).toEqual(['a.md']);
    expect(await createFolderSource({ root }).read('b.md')).toMatchObject({ reason: 'unreadable' });
  });

  // The superuser and Windows are not bound by these permissions.
  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'reports folders and files without permission and goes on (not as root)',
    async () => {
      const root = temporaryFolder({ 'a.md': '', 'locked/b.md': '', 'c.md': '' });
      chmodSync(join(root, 'locked'), 0);
      chmodSync(join(root, 'a.md'), 0);
      const source = createFolderSource({ root });
      const { files, skipped } = await listed(source);
      chmodSync(join(root, 'locked'), 0o700);
      expect(files.map((file) => file.path)).toEqual(['a.md', 'c.md']);
      expect(skipped).toMatchObject([{ path: 'locked', reason: 'unreadable' }]);
      expect(await source.read('a.md')).toMatchObject({ reason: 'unreadable' });
    },
  );

  it('reports an ignore file it cannot read and goes on', async () => {
    const root = temporaryFolder({ 'a.md': '', '.gitignore/x.md': '' });
    const { files, skipped } = await listed(createFolderSource({ root }));
    expect(files.map((file) => file.path)).toEqual(['a.md']);
    expect(skipped).toMatchObject([{ path: '.gitignore', reason: 'unreadable' }]);
  });

  it('reports an ignore file that is too large or leads out of the root, and obeys one that leads inside', async () => {
    const outside = temporaryFolder({ rules: 'a.md' });
    const root = temporaryFolder({
      'a.md': '',
      'b.md': '',
      'c.md': '',
      '.ignore': `a.md${'\n'.repeat(1024 * 1024)}`,
      rules: '\uFEFFb.md',
    });
    symlinkSync(join(outside, 'rules'), join(root, '.gitignore'));
    symlinkSync('rules', join(root, '.docfuseignore'));
    const { files, skipped } = await listed(createFolderSource({ root }));
    expect(files.map((file) => file.path)).toEqual(['a.md', 'c.md']);
    expect(skipped).toMatchObject([
      { path: '.gitignore', reason: 'unreadable', detail: expect.stringContaining('outside the root') },
      { path: '.ignore', reason: 'too_large' },
    ]);
  });

  it.skipIf(process.platform === 'win32')('does not hang on a pipe named like an ignore file', async () => {
    const names = ['.docfuseignore', '.gitignore', '.ignore'];
    const above = temporaryFolder({ '.git/HEAD': '', 'docs/a.md': '' });
    const root = join(above, 'docs');
    for (const name of names) {
      execFileSync('mkfifo', [join(root, name)]);
      execFileSync('mkfifo', [join(above, name)]);
    }
    const { files, skipped } = await listed(createFolderSource({ root }));
    expect(files.map((file) => file.path)).toEqual(['a.md']);
    expect(skipped.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual(
      names.map((name) => `${name} unreadable`),
    );
  });

  it('says that the root is missing', async () => {
    const source = createFolderSource({ root: join(temporaryFolder(), 'none') });
    const error = { code: 'not_found', message: expect.stringContaining('none') };
    await expect(listed(source)).rejects.toMatchObject(error);
    await expect(source.read('a.md')).rejects.toMatchObject(error);
  });
});

describe('what to list again', () => {
  it('is the path, the folder an ignore file rules, or nothing', () => {
    const { touchedBy } = createFolderSource({ root: temporaryFolder(), exclude: ['drafts'] });
    expect(touchedBy('a/b.md', false)).toBe('a/b.md');
    expect(touchedBy('a/b', true)).toBe('a/b');
    expect(touchedBy('a/.gitignore', false)).toBe('a');
    expect(touchedBy('.docfuseignore', false)).toBe('');
    expect(touchedBy('a/package.json', false)).toBe('a');
    for (const path of ['a/b.png', '.b.md', 'a/.b.md.swp', 'drafts'])
      expect(touchedBy(path, false)).toBeUndefined();
    for (const path of ['.git', 'a/node_modules', 'drafts']) expect(touchedBy(path, true)).toBeUndefined();
  });

  it('is nothing beside a file that is the whole collection', async () => {
    const source = createFolderSource({ root: join(temporaryFolder({ 'a.md': '', 'b.md': '' }), 'a.md') });
    await listed(source);
    expect(source.touchedBy('a.md', false)).toBe('a.md');
    expect(source.touchedBy('b.md', false)).toBeUndefined();
  });
});
