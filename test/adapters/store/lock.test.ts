/** The write lock, with real processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { acquireWriteLock } from '../../../src/adapters/store/lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, 'lock-child.ts');

it('is had by one at a time, also within a process', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const first = await acquireWriteLock(file);
  await expect(acquireWriteLock(file, { waitMs: 0 })).rejects.toMatchObject({ code: 'index_busy' });
  first.release();
  first.release();
  const second = await acquireWriteLock(file, { waitMs: 0 });
  await expect(acquireWriteLock(file, { waitMs: 0 })).rejects.toMatchObject({ code: 'index_busy' });
  second.release();
});

it('is kept from other processes when this one asks for it a second time', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const first = await acquireWriteLock(file);
  onTestFinished(() => first.release());
  await expect(acquireWriteLock(file, { waitMs: 0 })).rejects.toMatchObject({ code: 'index_busy' });
  const other = spawn(process.execPath, [CHILD, file]);
  other.stdout.setEncoding('utf8');
  let said = '';
  other.stdout.on('data', (text: string) => {
    said += text;
    other.kill('SIGKILL');
  });
  await once(other, 'close');
  expect(said).toBe('');
});

it('does not concern another index', async () => {
  const folder = temporaryFolder();
  const a = await acquireWriteLock(join(folder, 'a.sqlite'), { waitMs: 0 });
  const b = await acquireWriteLock(join(folder, 'b.sqlite'), { waitMs: 0 });
  a.release();
  b.release();
});

it.skipIf(process.platform === 'win32')('is for its owner alone, also when it was not', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  (await acquireWriteLock(file)).release();
  chmodSync(`${file}.lock`, 0o666);
  (await acquireWriteLock(file)).release();
  expect(statSync(`${file}.lock`).mode & 0o777).toBe(0o600);
});

it('leaves the database of another program alone, to which a link may lead', async () => {
  const folder = temporaryFolder();
  const other = join(folder, 'other.sqlite');
  using database = new DatabaseSync(other);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE owner (name TEXT); CREATE TABLE x (y)');
  database.exec("INSERT INTO owner VALUES ('theirs'); PRAGMA wal_checkpoint(TRUNCATE)");
  const before = readFileSync(other);
  symlinkSync(other, join(folder, 'index.sqlite.lock'));
  await expect(acquireWriteLock(join(folder, 'index.sqlite'))).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining('was not made by docfuse'),
  });
  expect(readFileSync(other).equals(before)).toBe(true);
});

it('names the process that has it', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const owner = await holdElsewhere(file);
  const error = await acquireWriteLock(file, { waitMs: 120 }).catch((cause: unknown) => cause);
  expect(error).toMatchObject({
    code: 'index_busy',
    message: expect.stringContaining(`process ${owner.pid} `),
  });
});

it('is not waited for where the other process has had it for longer than one would wait', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  await holdElsewhere(file);
  await sleep(1_700);
  const began = performance.now();
  await expect(acquireWriteLock(file, { waitMs: 1_600 })).rejects.toMatchObject({ code: 'index_busy' });
  expect(performance.now() - began).toBeLessThan(1_500);
});

it('waits until the other process is done', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const owner = await holdElsewhere(file);
  const waiting = acquireWriteLock(file, { waitMs: 20_000 });
  setTimeout(() => owner.stdin?.write('x'), 100);
  (await waiting).release();
});

it('is free when its owner was killed', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const owner = await holdElsewhere(file);
  owner.kill('SIGKILL');
  await once(owner, 'close');
  (await acquireWriteLock(file, { waitMs: 0 })).release();
});

it('goes to exactly one of many who want it at once', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const attempts = Array.from({ length: 20 }, () => acquireWriteLock(file, { waitMs: 150 }));
  const outcomes = await Promise.allSettled(attempts);
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
  expect(won).toHaveLength(1);
  won[0]?.value.release();
});

it('stops waiting when asked', async () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const lock = await acquireWriteLock(file);
  const signal = AbortSignal.timeout(60);
  await expect(acquireWriteLock(file, { waitMs: 20_000, signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  lock.release();
});

it('says what to do about a lock file that is not one', async () => {
  const folder = temporaryFolder({ 'index.sqlite.lock': 'something else '.repeat(99) });
  await expect(acquireWriteLock(join(folder, 'index.sqlite'))).rejects.toMatchObject({
    code: 'storage',
    remedy: expect.stringContaining('Delete'),
  });
});

async function holdElsewhere(file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CHILD, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
