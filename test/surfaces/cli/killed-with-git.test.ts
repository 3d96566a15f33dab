/** Kills the real command while git works for it: git must not live on. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BIN, createPlayground, type Playground } from './docfuse.ts';

/** @param script what a command called git does in place of git, after it wrote down its process id */
async function killWith(script: string, kill: (pid: number) => void): Promise<number> {
  const playground: Playground = createPlayground({
    'docfuse.toml': '[[collections]]\npath = "."\nkind = "git"\n',
  });
  onTestFinished(() => playground[Symbol.dispose]());
  const { folder, env } = playground;
  expect(spawnSync('git', ['init', '-q', folder], { env }).status).toBe(0);
  const bin = join(folder, 'bin');
  const pidFile = join(folder, 'pid');
  playground.write({
    'bin/git': `#!/bin/sh\necho $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'\n${script}\n`,
  });
  spawnSync('chmod', ['+x', join(bin, 'git')]);
  const child = spawn(process.execPath, [BIN, 'index', '--no-embed'], {
    cwd: folder,
    env: { ...env, PATH: `${bin}:${env.PATH}` },
    detached: true,
    stdio: 'ignore',
  });
  await expect.poll(() => existsSync(pidFile), { timeout: 20_000 }).toBe(true);
  const git = Number(readFileSync(pidFile, 'utf8'));
  onTestFinished(() => void (isAlive(git) && process.kill(git, 'SIGKILL')));
  kill(child.pid!);
  return git;
}

function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

test.skipIf(process.platform === 'win32').each([
  ['waits, with all of its group', 'exec sleep 1000', (pid: number) => process.kill(-pid, 'SIGKILL')],
  ['prints', 'while sleep 0.05; do echo commit; done', (pid: number) => process.kill(pid, 'SIGKILL')],
])('docfuse killed while git %s', { timeout: 30_000 }, async (_, script, kill) => {
  const git = await killWith(script, kill);
  await expect.poll(() => isAlive(git), { timeout: 5_000 }).toBe(false);
});
