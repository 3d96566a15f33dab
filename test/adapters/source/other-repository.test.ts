/** Attacks by a repository that leads to the history of another one. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attackedRepositories, read, refusal } from './attacked-repositories.ts';

const { work, plain, git, newFolder, copy, bare } = attackedRepositories();

describe('the history of another repository is not read', () => {
  const leadsTo = (place: string) => refusal(`leads to ${place}, outside this folder`);

  test('through a file or link .git, unless the user trusts the folder', async () => {
    const root = newFolder();
    mkdirSync(root);
    writeFileSync(join(root, '.git'), `gitdir: ${join(plain, '.git')}\n`);
    await expect(read(root)).rejects.toMatchObject(leadsTo(join(plain, '.git')));
    expect(await read(root, { trusted: true })).toContain('Secret plan');
    rmSync(join(root, '.git'));
    symlinkSync(join(plain, '.git'), join(root, '.git'));
    await expect(read(root)).rejects.toMatchObject(leadsTo(join(plain, '.git')));
  });

  test('through its objects, or the folder that worktrees share', async () => {
    const { root, gitFolder } = copy();
    rmSync(join(gitFolder, 'objects'), { recursive: true });
    symlinkSync(join(plain, '.git', 'objects'), join(gitFolder, 'objects'));
    await expect(read(root)).rejects.toMatchObject(leadsTo(join(plain, '.git', 'objects')));
    const other = copy();
    writeFileSync(join(other.gitFolder, 'commondir'), join(plain, '.git'));
    await expect(read(other.root)).rejects.toMatchObject(leadsTo(join(plain, '.git')));
  });

  test.each(['refs/heads/main', 'packed-refs', 'HEAD', 'objects/info/alternates', 'objects/pack', 'config'])(
    'through a link in place of %s',
    async (name) => {
      const { root, gitFolder } = copy();
      const [file, other] = [join(gitFolder, name), join(plain, '.git', 'description')];
      const target = name.endsWith('pack') ? join(plain, '.git', 'objects') : other;
      rmSync(file, { recursive: true, force: true });
      symlinkSync(relative(dirname(file), target), file);
      await expect(read(root)).rejects.toMatchObject(leadsTo(target));
    },
  );

  /** A bare repository that shows the commit of `plain` if git finds that. */
  function thief(): string {
    const root = newFolder();
    git(work, 'init', '-q', '--bare', '-b', 'main', root);
    writeFileSync(join(root, 'refs', 'heads', 'main'), `${git(plain, 'rev-parse', 'HEAD')}\n`);
    return root;
  }
  const stolen = join(plain, '.git', 'objects');

  test('through the objects that its own ones name', async () => {
    const root = thief();
    const objects = join(root, 'objects');
    for (const line of [relative(objects, stolen), stolen, JSON.stringify(stolen), `${stolen}\0`]) {
      writeFileSync(join(objects, 'info', 'alternates'), `${line}\n`);
      await expect(read(root)).rejects.toMatchObject(refusal('names objects of another repository'));
    }
  });

  test('through the tables of its branches', async () => {
    const { root, gitFolder } = copy();
    mkdirSync(join(gitFolder, 'reftable'));
    writeFileSync(join(gitFolder, 'reftable', 'tables.list'), '../../../secret.ref\n');
    await expect(read(root)).rejects.toMatchObject(refusal('names tables in another folder'));
  });

  test('through links in place of objects', async () => {
    const [folders, files] = [thief(), thief()];
    for (const name of readdirSync(stolen).filter(({ length }) => length === 2)) {
      symlinkSync(join(stolen, name), join(folders, 'objects', name));
      cpSync(join(stolen, name), join(files, 'objects', name), { recursive: true });
      for (const file of readdirSync(join(stolen, name))) {
        rmSync(join(files, 'objects', name, file));
        symlinkSync(join(stolen, name, file), join(files, 'objects', name, file));
      }
    }
    for (const root of [folders, files]) {
      await expect(read(root)).rejects.toMatchObject(refusal(', outside this folder'));
    }
  });

  test.each([
    ['own\n/../../plain/.git', 'own', 'a line break'],
    ['own/../plain/.git', 'plain/.git', 'a link'],
  ])('through %j in commondir, which seems to lead to %s', async (written, seeming, way) => {
    const root = thief();
    for (const name of ['objects', 'refs']) mkdirSync(join(root, seeming, name), { recursive: true });
    if (way === 'a link') symlinkSync('.', join(root, 'own'));
    else mkdirSync(join(root, 'own\n'));
    writeFileSync(join(root, 'commondir'), written);
    expect(git(root, 'log', '--format=%s')).toBe('Secret plan');
    expect(await read(root)).toBe('');
  });

  test('through an index of packs that names one by its path', async () => {
    const victim = newFolder();
    git(work, 'clone', '-q', '--bare', '--no-hardlinks', plain, victim);
    git(victim, 'repack', '-adq');
    git(victim, 'multi-pack-index', 'write');
    const packs = join(victim, 'objects', 'pack');
    const pack = readdirSync(packs).find((name) => name.endsWith('.idx'))!;
    const root = thief();
    const file = join(root, 'objects', 'pack', 'multi-pack-index');
    writeFileSync(
      file,
      withPackName(
        readFileSync(join(packs, 'multi-pack-index')),
        `../../..${packs.slice(work.length)}/${pack}`,
      ),
    );
    expect(git(root, 'log', '--format=%s')).toBe('Secret plan');
    expect(await read(root)).toBe('');
  });

  test('through the file .git beside a submodule of the same repository', async () => {
    const { root } = copy();
    git(root, 'submodule', '--quiet', 'add', plain, 'part');
    mkdirSync(join(root, 'clone'));
    writeFileSync(join(root, 'clone', '.git'), 'gitdir: ../.git/modules/part\n');
    await expect(read(join(root, 'clone'))).rejects.toMatchObject(refusal(', outside this folder'));
  });

  test('through core.worktree', async () => {
    const { root } = copy();
    writeFileSync(join(plain, '.mailmap'), 'Somebody <a@b>\n');
    git(root, 'config', 'core.worktree', plain);
    expect(await read(root)).toContain('Ada');
    rmSync(join(plain, '.mailmap'));
  });

  test('but worktrees and submodules are repositories of their own', async () => {
    const { root } = copy();
    const tree = newFolder();
    git(root, 'worktree', 'add', '-q', tree);
    expect(await read(tree)).toContain('Secret plan');
    git(root, 'submodule', '--quiet', 'add', plain, 'part');
    expect(await read(join(root, 'part'))).toContain('Secret plan');
    renameSync(root, newFolder());
    await expect(read(tree)).rejects.toMatchObject(refusal('does not lead to a git repository'));
  });

  test('where a bare one lies further up', async () => {
    const root = bare();
    await expect(read(join(root, 'hooks'))).rejects.toMatchObject(refusal('is not in a git repository'));
  });
});

/** The same index of packs, its only pack by another name: a header of 12 bytes, a table of chunks, the chunks. */
function withPackName(index: Buffer, name: string): Buffer {
  const count = index[6]!;
  const startOf = (chunk: number) => Number(index.readBigUInt64BE(16 + chunk * 12));
  const ids = Array.from({ length: count }, (_, chunk) => index.subarray(12 + chunk * 12, 16 + chunk * 12));
  const chunks = ids.map((id, chunk) => {
    const named = Buffer.from(`${name}\0`.padEnd(Math.ceil((name.length + 1) / 4) * 4, '\0'));
    return `${id}` === 'PNAM' ? named : index.subarray(startOf(chunk), startOf(chunk + 1));
  });
  const table = Buffer.alloc((count + 1) * 12);
  let start = 12 + table.length;
  for (const [chunk, content] of [...chunks, Buffer.alloc(0)].entries()) {
    ids[chunk]?.copy(table, chunk * 12);
    table.writeBigUInt64BE(BigInt(start), chunk * 12 + 4);
    start += content.length;
  }
  const all = Buffer.concat([index.subarray(0, 12), table, ...chunks]);
  return Buffer.concat([all, createHash('sha1').update(all).digest()]);
}
