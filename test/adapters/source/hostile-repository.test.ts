/** Attacks by what a repository that came from elsewhere may hold: pipes, devices, programs, ways to other repositories. */
// over 300 lines: one list of attacks on one command, with the repositories they share
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGitSource } from '../../../src/adapters/source/git-source.ts';
import { open } from '../../../src/engine/open.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-hostile-')));
const sprung = join(work, 'sprung');
const plain = join(work, 'plain');
afterAll(() => rmSync(work, { recursive: true, force: true }));

const env = { PATH: process.env.PATH, HOME: work, GIT_CONFIG_NOSYSTEM: '1' };
function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
  const { stdout, stderr, status } = spawnSync('git', ['-C', folder, ...identity, ...args], {
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return stdout.trim();
}

beforeAll(() => {
  vi.stubEnv('HOME', work);
  git(work, 'init', '-q', '-b', 'main', plain);
  writeFileSync(join(plain, 'plan.md'), 'plan');
  writeFileSync(join(plain, '.gitattributes'), '*.md diff=trap filter=trap\n');
  git(plain, 'add', '-A');
  git(plain, 'commit', '-q', '-m', 'Secret plan');
});
afterAll(() => vi.unstubAllEnvs());

let made = 0;
const newFolder = () => join(work, `${++made}`);
/** The repository of a folder with one commit, `.git` in it. */
function copy(): { root: string; gitFolder: string } {
  const root = newFolder();
  cpSync(plain, root, { recursive: true });
  return { root, gitFolder: join(root, '.git') };
}
function bare(): string {
  const root = newFolder();
  git(work, 'clone', '-q', '--bare', plain, root);
  return root;
}
function pipe(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
}

/** All texts. Git is ended after two seconds of silence, and a test has five. */
async function read(root: string, options = {}): Promise<string> {
  const source = createGitSource({ root, silenceMs: 2000, ...options });
  const texts: string[] = [];
  for await (const { path } of source.list(() => {}, undefined, { onUntold: () => {} })) {
    texts.push(JSON.stringify(await source.read(path)));
  }
  return texts.join('\n');
}
const refusal = (message: string) => ({ code: 'not_found', message: expect.stringContaining(message) });

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

  test('behind the objects of another folder', async () => {
    const { root, gitFolder } = copy();
    const other = join(newFolder(), 'objects');
    mkdirSync(other, { recursive: true });
    pipe(join(other, 'info', 'alternates'));
    writeFileSync(join(gitFolder, 'objects', 'info', 'alternates'), `${other}\n`);
    await expect(read(root, { trusted: true })).rejects.toMatchObject(refusal('is a pipe'));
  });

  test('for longer than a time limit, where nothing else helps', async () => {
    const { root, gitFolder } = copy();
    const included = join(work, 'pipe');
    pipe(included);
    appendFileSync(join(gitFolder, 'config'), `[include]\n\tpath = ${included}\n`);
    const options = { silenceMs: 300, trusted: true };
    await expect(read(root, options)).rejects.toMatchObject(
      refusal(`history of ${root} for 0.3 seconds and was ended`),
    );
    const stopped = AbortSignal.timeout(300);
    const listing = Array.fromAsync(createGitSource({ root, trusted: true }).list(() => {}, stopped));
    await expect(listing).rejects.toMatchObject({ code: 'aborted' });
  });

  test.each([
    ['[include]\n\tpath = PIPE\n', 'that includes'],
    ['[include] path = "PIPE"\n', 'that includes'],
    ['[includeIf "gitdir:/"]\n\tPATH=PIPE # here\n', 'that includes'],
    ['[include]\n\tpath = "PI\\\nPE"\n', 'that includes'],
    ['[include]\n\tpath = /proc/kmsg\n', 'that includes /proc/kmsg'],
    ['[include]\n\tpath = more\n', 'that includes'],
  ])('that its configuration takes in: %j', async (settings, message) => {
    const { root, gitFolder } = copy();
    const included = join(gitFolder, 'modules', 'pipe');
    pipe(included);
    writeFileSync(join(gitFolder, 'more'), `[include]\n\tpath = ${included}\n`);
    appendFileSync(join(gitFolder, 'config'), settings.replace('PIPE', included));
    await expect(read(root)).rejects.toMatchObject(refusal(message));
  });

  test('but takes in honest settings', async () => {
    const { root, gitFolder } = copy();
    writeFileSync(join(root, '.gitconfig'), '[core]\n\tquotePath = false\n');
    appendFileSync(
      join(gitFolder, 'config'),
      '[include]\n\tpath = ../.gitconfig\n[include]\n\tpath = ~/.none\n',
    );
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
    await expect(read(root)).rejects.toMatchObject(refusal('main is too long'));
  });
});

describe.skipIf(process.platform === 'win32')('git that does not end', () => {
  const standIn = (script: (bin: string) => string) => {
    const bin = newFolder();
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script(bin)}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
    onTestFinished(() => void vi.stubEnv('PATH', env.PATH!));
    return bin;
  };

  test('is ended with what it started', async () => {
    const bin = standIn((folder) => `sleep 1000 & echo $! > '${folder}/started'; wait`);
    await expect(read(plain, { silenceMs: 300 })).rejects.toMatchObject(refusal('was ended'));
    const started = Number(readFileSync(join(bin, 'started'), 'utf8'));
    await sleep(50);
    const state = spawnSync('ps', ['-o', 'stat=', '-p', `${started}`], { encoding: 'utf8' }).stdout;
    expect(state.replace(/^Z.*/, '').trim()).toBe('');
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

  test('through the objects that its own ones name', async () => {
    const root = newFolder();
    git(work, 'init', '-q', '--bare', join(root, 'repo.git'));
    const objects = join(root, 'repo.git', 'objects');
    const secret = join(plain, '.git', 'objects');
    for (const line of [relative(objects, secret), secret, JSON.stringify(secret)]) {
      writeFileSync(join(objects, 'info', 'alternates'), `${line}\n`);
      const head = git(plain, 'rev-parse', 'HEAD');
      writeFileSync(join(root, 'repo.git', 'refs', 'heads', 'main'), `${head}\n`);
      await expect(read(join(root, 'repo.git'))).rejects.toMatchObject(refusal('outside this folder'));
    }
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
    await expect(read(tree)).rejects.toMatchObject(refusal('leads to no git repository'));
  });

  test('where a bare one lies further up', async () => {
    const root = bare();
    await expect(read(join(root, 'hooks'))).rejects.toMatchObject(refusal('is not in a git repository'));
  });
});

const OTHER_USER = 54_321;
/** Only root can give files away. */
describe.skipIf(process.getuid?.() !== 0)('a repository of another user', () => {
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
