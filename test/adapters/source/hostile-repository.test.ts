/** Attacks by what a repository that came from elsewhere may hold: pipes, devices, programs, another owner. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGitSource } from '../../../src/adapters/source/git-source.ts';
import { open } from '../../../src/engine/open.ts';
import { attackedRepositories, pipe, read, refusal } from './attacked-repositories.ts';

const { work, plain, git, newFolder, copy, bare } = attackedRepositories();
const sprung = join(work, 'sprung');
const { PATH } = process.env;

describe.skipIf(process.platform === 'win32')('git waits for no pipe and reads no device', () => {
  test.each(['file', 'blob'])('in place of names of authors (mailmap.%s)', async (key) => {
    const root = bare();
    const names = join(newFolder(), 'names');
    pipe(names);
    git(root, 'config', `mailmap.${key}`, names);
    expect(await read(root)).toContain('Secret plan');
  });

  const FILES = ['HEAD', 'config', 'commondir', 'packed-refs', 'shallow', 'refs/heads/main', 'info/grafts'];
  FILES.push('objects/info/alternates', 'objects/info/commit-graph', '../.mailmap');
  test.each(FILES)('in place of %s', async (name) => {
    const { root, gitFolder } = copy();
    const file = join(gitFolder, name);
    pipe(file);
    await expect(read(root)).rejects.toMatchObject(refusal(`${file} is a pipe`));
    rmSync(file);
    symlinkSync('/dev/zero', file);
    await expect(read(root)).rejects.toMatchObject(refusal(`${file} is a pipe or a device`));
  });

  test('for longer than a time limit, where nothing else helps', async () => {
    const { root, gitFolder } = copy();
    const included = join(work, 'pipe');
    pipe(included);
    appendFileSync(join(gitFolder, 'config'), `[include]\n\tpath = ${included}\n`);
    const options = { silenceMs: 300, trusted: true };
    await expect(read(root, options)).rejects.toMatchObject(
      refusal(`history of ${root} for 0.3 seconds and was stopped`),
    );
    const stopped = AbortSignal.timeout(300);
    const listing = Array.fromAsync(createGitSource({ root, trusted: true }).list(() => {}, stopped));
    await expect(listing).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test.each([
    '[include]\n\tpath = PIPE\n',
    '[core] [INCLUDE] path = "PIPE"\n',
    '[include]\n\tother = "["\n\tpath = PIPE\n',
    '[includeIf "gitdir:/"]\n\tPATH=PIPE # here\n',
    '[include]\n\tpath = ~root/..PIPE\n',
  ])('that its configuration includes: %j', async (settings) => {
    for (const name of ['config', 'config.worktree']) {
      const { root, gitFolder } = copy();
      const included = join(newFolder(), 'pipe');
      pipe(included);
      git(root, 'config', 'extensions.worktreeConfig', 'true');
      appendFileSync(join(gitFolder, name), settings.replace('PIPE', included));
      await expect(read(root)).rejects.toMatchObject(refusal(`${name} includes other files`));
    }
  });

  test('that a branch names by its path', async () => {
    const { root, gitFolder } = copy();
    const file = join(gitFolder, 'hooks', 'pipe');
    pipe(file);
    writeFileSync(join(gitFolder, 'refs', 'heads', 'main'), 'ref: hooks/pipe\n');
    await expect(read(root)).rejects.toMatchObject(refusal(`${file} is a pipe`));
  });

  test('but reads an honest repository with links and long packs', async () => {
    const root = join(newFolder(), 'refs', 'mine');
    cpSync(plain, root, { recursive: true });
    const gitFolder = join(root, '.git');
    symlinkSync(process.execPath, join(gitFolder, 'hooks', 'pre-commit'));
    symlinkSync('main', join(gitFolder, 'refs', 'heads', 'same'));
    symlinkSync('nothing', join(gitFolder, 'lock'));
    const pack = join(gitFolder, 'objects', 'pack', 'pack-0.pack');
    writeFileSync(pack, '');
    truncateSync(pack, 2 ** 30);
    expect(await read(root)).toContain('Secret plan');
  });

  test('in place of an object', async () => {
    const { root, gitFolder } = copy();
    const file = join(gitFolder, 'objects', git(root, 'rev-parse', 'HEAD').replace(/^../, '$&/'));
    pipe(file);
    await expect(read(root)).rejects.toMatchObject(refusal(`${file} is a pipe`));
  });

  test('of absurd length', async () => {
    const { root, gitFolder } = copy();
    truncateSync(join(gitFolder, 'refs', 'heads', 'main'), 2 ** 30);
    await expect(read(root)).rejects.toMatchObject(refusal('main is larger than 16 MiB'));
  });
});

describe.skipIf(process.platform === 'win32')('git that does not end', () => {
  const standIn = (script: (bin: string) => string) => {
    const bin = newFolder();
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script(bin)}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
    onTestFinished(() => void vi.stubEnv('PATH', PATH!));
    return bin;
  };

  test('is ended, and what it started is not waited for', async () => {
    const bin = standIn((folder) => `sleep 1000 & echo $! > '${folder}/started'; wait`);
    onTestFinished(() => void spawnSync('kill', ['-9', readFileSync(join(bin, 'started'), 'utf8').trim()]));
    await expect(read(plain, { silenceMs: 300 })).rejects.toMatchObject(refusal('was stopped'));
  });

  test('is ended when it prints without end', async () => {
    standIn(() => 'exec yes');
    await expect(read(plain)).rejects.toMatchObject(refusal('more than 256 MiB'));
  });
});

describe.skipIf(process.platform === 'win32')('git runs nothing that a repository brings', () => {
  const trap = `touch ${sprung}; false`;
  const unsprung = () => expect(existsSync(sprung)).toBe(false);

  /** @param settings by whole name, such as `diff.trap.textconv` */
  function configure(gitFolder: string, settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([name, value]) => {
      const [section, ...rest] = name.split('.');
      const key = rest.pop();
      return `[${[section, ...rest.map((part) => JSON.stringify(part))].join(' ')}]\n\t${key} = ${JSON.stringify(value)}\n`;
    });
    appendFileSync(join(gitFolder, 'config'), lines.join(''));
  }

  test('whatever its settings are', async () => {
    const { root, gitFolder } = copy();
    const names = ['core.fsmonitor', 'core.pager', 'pager.log', 'pager.rev-list', 'core.editor'];
    names.push('core.askPass', 'core.sshCommand', 'core.alternateRefsCommand', 'credential.helper');
    names.push('gpg.program', 'gpg.ssh.program', 'diff.external', 'diff.trap.textconv');
    names.push('diff.trap.command', 'filter.trap.clean', 'filter.trap.smudge', 'uploadpack.packObjectsHook');
    const aliases = ['log', 'rev-list', 'diff-tree'].map((name) => [`alias.${name}`, `!${trap}`]);
    configure(gitFolder, {
      ...Object.fromEntries([...names.map((name) => [name, trap]), ...aliases]),
      ...{ 'log.showSignature': 'true', 'log.mailmap': 'true', 'log.decorate': 'full' },
      'core.hooksPath': join(gitFolder, 'hooks'),
    });
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-auto-gc']) {
      writeFileSync(join(gitFolder, 'hooks', hook), `#!/bin/sh\n${trap}\n`, { mode: 0o755 });
    }
    expect(await read(root)).toContain('plan.md');
    unsprung();
  });

  test.each([
    ['remote.origin.url', `ext::sh -c touch% ${sprung}`],
    ['remote.origin.uploadpack', `${trap};`],
    ['core.sshCommand', `${trap};`],
  ])('to fetch what it left out (%s)', async (name, value) => {
    const { root, gitFolder } = copy();
    configure(gitFolder, {
      'remote.origin.url': name === 'core.sshCommand' ? 'ssh://host/x' : plain,
      'remote.origin.promisor': 'true',
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      ...Object.fromEntries(['allow', 'ext.allow', 'file.allow'].map((key) => [`protocol.${key}`, 'always'])),
      [name]: value,
    });
    const tree = git(root, 'rev-parse', 'HEAD^{tree}');
    rmSync(join(gitFolder, 'objects', tree.slice(0, 2), tree.slice(2)));
    await expect(read(root)).rejects.toMatchObject(refusal('Git cannot read the history'));
    unsprung();
  });
});

const OTHER_USER = 54_321;
/** Only root can give files away. */
describe.skipIf(process.getuid?.() !== 0)('a repository of another user (only as root)', () => {
  const given = () => {
    const { root, gitFolder } = copy();
    for (const place of [root, gitFolder]) chownSync(place, OTHER_USER, OTHER_USER);
    return root;
  };

  test('is refused, unless git has an exception for it', async () => {
    const root = given();
    await expect(read(root)).rejects.toMatchObject(refusal(`${root} belongs to another user`));
    writeFileSync(join(work, '.gitconfig'), `[safe]\n\tdirectory = ${root}\n`);
    onTestFinished(() => rmSync(join(work, '.gitconfig')));
    expect(await read(root)).toContain('Secret plan');
  });

  test('is read where the user trusts its folder', async () => {
    const root = given();
    vi.stubEnv('XDG_CONFIG_HOME', join(work, 'own'));
    const own = join(work, 'own', 'docfuse', 'docfuse.toml');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(join(work, 'docfuse.toml'), `[[collections]]\npath = "${root}"\nkind = "git"\n`);
    const sync = async () => {
      const options = { config: join(work, 'docfuse.toml'), cwd: work, indexPath: newFolder() };
      await using index = await open(options);
      return await index.sync({ embed: false });
    };
    writeFileSync(own, '');
    await expect(sync()).rejects.toMatchObject(refusal('belongs to another user'));
    writeFileSync(own, `trust = ["${root}"]\n`);
    expect(await sync()).toMatchObject({ added: 1 });
  });
});
