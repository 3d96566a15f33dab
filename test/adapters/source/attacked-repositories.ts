/** Repositories to attack from, each with one commit "Secret plan". */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createGitSource } from '../../../src/adapters/source/git-source.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

export const refusal = (message: string) => ({
  code: 'not_found',
  message: expect.stringContaining(message),
});

export function pipe(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
}

/** All texts. Git is ended after two seconds of silence, and a test has five. */
export async function read(root: string, options = {}): Promise<string> {
  const source = createGitSource({ root, silenceMs: 2000, ...options });
  const texts: string[] = [];
  for await (const { path } of source.list(() => {})) {
    texts.push(JSON.stringify(await source.read(path)));
  }
  return texts.join('\n');
}

/** For one file of tests: the folder goes after its last one. */
export function attackedRepositories() {
  const work = sharedFolder();
  const plain = join(work, 'plain');
  function git(folder: string, ...args: string[]): string {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
    const { stdout, stderr, status } = spawnSync('git', ['-C', folder, ...identity, ...args], {
      env: { PATH: process.env.PATH, HOME: work, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    return stdout.trim();
  }
  let made = 0;
  const newFolder = () => join(work, `${++made}`);

  beforeAll(() => {
    vi.stubEnv('HOME', work);
    git(work, 'init', '-q', '-b', 'main', plain);
    writeFileSync(join(plain, 'plan.md'), 'plan');
    writeFileSync(join(plain, '.gitattributes'), '*.md diff=trap filter=trap\n');
    git(plain, 'add', '-A');
    git(plain, 'commit', '-q', '-m', 'Secret plan');
  });
  afterAll(() => void vi.unstubAllEnvs());

  return {
    work,
    plain,
    git,
    newFolder,
    /** The repository of a folder with one commit, `.git` in it. */
    copy(): { root: string; gitFolder: string } {
      const root = newFolder();
      cpSync(plain, root, { recursive: true });
      return { root, gitFolder: join(root, '.git') };
    },
    bare(): string {
      const root = newFolder();
      git(work, 'clone', '-q', '--bare', plain, root);
      return root;
    },
  };
}
