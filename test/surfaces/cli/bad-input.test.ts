/** Every kind of bad input the product promises to survive, against the real command. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireWriteLock } from '../../../src/adapters/store/lock.ts';
import { canRunAsNobody, NOBODY, nobodyNote } from '../../support/nobody.ts';
import { BIN, createPlayground, type Playground } from './docfuse.ts';
import type { Outcome } from './execute-here.ts';

const NOTE = '# Lanterns\n\nHow to light a lantern in the rain.\n';
let playground: Playground;
beforeEach(() => {
  playground = createPlayground({ 'docs/note.md': NOTE });
});
afterEach(() => playground[Symbol.dispose]());

/** Words alone need no model, which keeps these tests quick. */
const index = (...args: string[]) => playground.runHere(['index', '--no-embed', ...args]);
const words = (...args: string[]) =>
  playground.runHere(['search', 'lantern', '--mode', 'keyword', '--files', ...args]);

/** One sentence what failed, one what to do, no stack. */
function expectFailure({ code, stdout, stderr }: Outcome, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ {4}at |unexpected/m);
  expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  expect([code, stdout]).toEqual([1, '']);
}

test('a working directory that was deleted', async () => {
  const gone = join(playground.folder, 'gone');
  const shell = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"';
  const typed = ['-c', shell, gone, process.execPath, BIN, 'search', 'lantern'];
  const { status, stdout, stderr } = spawnSync('/bin/sh', typed, { env: playground.env, encoding: 'utf8' });
  expectFailure({ code: status, stdout, stderr }, /^error: The working directory was deleted\.$/m);
});

describe('a bad file is left out or read as well as can be, with a note, and the rest is indexed', () => {
  test.skipIf(!canRunAsNobody)(`unreadable${nobodyNote}`, async () => {
    playground.write({ 'docs/secret.md': '# Secret\n' });
    chmodSync(join(playground.folder, 'docs/secret.md'), 0o000);
    if (NOBODY.uid) execFileSync('chown', ['-R', String(NOBODY.uid), playground.folder]);
    const outcome = await playground.run(['index', '--no-embed', 'docs'], NOBODY);
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') });
    expect(outcome.stderr).toMatch(/secret\.md: left out, cannot be read/);
  });

  test.skipIf(!canRunAsNobody)(`an index in a folder that may not be entered${nobodyNote}`, async () => {
    playground.write({ 'locked/index/note.txt': 'x' });
    chmodSync(join(playground.folder, 'locked'), 0o000);
    if (NOBODY.uid) execFileSync('chown', ['-R', String(NOBODY.uid), playground.folder]);
    const outcome = await playground.run(['search', 'x', 'docs', '--index', 'locked/index'], NOBODY);
    chmodSync(join(playground.folder, 'locked'), 0o700);
    expectFailure(outcome, /locked\/index.* cannot be opened or written/);
  });

  test.skipIf(!canRunAsNobody)(`an index that may not be read${nobodyNote}`, async () => {
    await index('docs');
    const file = join(playground.folder, 'unread/index.sqlite');
    playground.write({ 'unread/index.sqlite': '' });
    chmodSync(file, 0o000);
    if (NOBODY.uid) execFileSync('chown', ['-R', String(NOBODY.uid), playground.folder]);
    for (const command of [
      ['index', '--no-embed'],
      ['serve', '--port', '0'],
      ['search', 'x'],
    ]) {
      const outcome = await playground.run([...command, 'docs', '--index', 'unread'], NOBODY);
      expectFailure(outcome, /unread\/index\.sqlite cannot be opened or written/);
    }
  });

  test('binary with a .md name', async () => {
    playground.write({ 'docs/image.md': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0, 255]) });
    const outcome = await index('docs');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') });
    expect(outcome.stderr).toMatch(/image\.md: left out, not text/);
  });

  test('50 MB', async () => {
    playground.write({ 'docs/huge.md': new Uint8Array(50_000_000).fill(97) });
    const outcome = await index('docs');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') });
    expect(outcome.stderr).toMatch(/docs\/huge\.md: left out, too large/);
  });

  test('malformed front matter', async () => {
    playground.write({ 'docs/note.md': `---\ntitle: [unclosed\n---\n${NOTE}` });
    const outcome = await index('docs');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') });
    expect(outcome.stderr).toMatch(/docs\/note\.md: .*front matter/i);
    const { stdout } = await playground.runHere(['status', 'docs', '--quiet']);
    expect(stdout).toMatch(/^Warnings +1, /m);
    expect((await words('docs')).stdout).toBe('docs/note.md\n');
  });

  test('invalid UTF-8', async () => {
    playground.write({ 'docs/note.md': Buffer.concat([Buffer.from(NOTE), Buffer.from([0xe9, 0x74, 0xe9])]) });
    const outcome = await index('docs');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') });
    expect(outcome.stderr).toMatch(/docs\/note\.md: .*UTF-8/);
    expect((await words('docs')).stdout).toBe('docs/note.md\n');
  });
});

describe('paths', () => {
  test('an empty folder is no failure', async () => {
    playground.write({ 'empty/picture.png': 'x' });
    expect(await index('empty')).toMatchObject({ code: 0, stdout: expect.stringContaining('no files') });
    expect(await words('empty')).toMatchObject({ code: 0, stdout: '' });
  });

  test('a missing folder fails by name, and what was indexed of it stays', async () => {
    expectFailure(await index('nowhere'), /nowhere/);
    const late = await playground.runHere(['search', '--no-sync', '--', '-graph', 'docs', '-n', '3']);
    expectFailure(late, /-n\.\nCheck the path\. Options go before --, not after it/);
    expectFailure(await words('nowhere'), /nowhere.*\n.*Put a query of several words in quotes/);
    await playground.runHere(['index', 'docs', '--index', 'kept', '--no-embed']);
    const unquoted = ['search', 'lantern', 'nowhere', 'docs', '--index', 'kept', '--mode', 'keyword'];
    expectFailure(await playground.runHere(unquoted), /nowhere.*\n.*Put a query of several words in quotes/);
    const quoted = await playground.runHere(unquoted.filter((word) => word !== 'nowhere'));
    expect(quoted.stderr).not.toContain('nowhere'); // the index does not hold it
    expectFailure(
      await playground.runHere(['list', 'tag']),
      /\/tag\.\nCheck the path\. Did you mean docfuse list tags\?/,
    );
    expectFailure(await playground.runHere(['config', 'nowhere']), /nowhere\.\nCheck the path\.$/m);
  });

  test('a file is indexed alone', async () => {
    playground.write({ 'docs/other.md': '# Other lantern\n' });
    expect(await index('docs/note.md')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 added'),
    });
    expect((await words('docs/note.md')).stdout).toBe('docs/note.md\n');
  });
});

describe('an index that cannot be used fails with the reason and the remedy, and is left alone', () => {
  const file = () => {
    const indexes = join(playground.env.XDG_DATA_HOME!, 'docfuse', 'indexes');
    return join(indexes, readdirSync(indexes)[0]!, 'index.sqlite');
  };

  test('made by a newer version', async () => {
    await index('docs');
    const database = new DatabaseSync(file());
    database.exec('PRAGMA user_version = 9999');
    database.close();
    expectFailure(await words('docs'), /has format 9999.*\nUpdate docfuse/);
    const after = new DatabaseSync(file(), { readOnly: true });
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 9999 });
    after.close();
  });

  test('damaged', async () => {
    await index('docs');
    writeFileSync(file(), 'this is no database, and it is long enough to be looked at as one'.repeat(20));
    expectFailure(await words('docs'), /damaged|not an index/);
    expectFailure(await playground.runHere(['status', 'docs']), /--rebuild|delete/i);
    expect(existsSync(file())).toBe(true);
  });
});

test('a model folder without its files fails by name, and words still work', async () => {
  playground.write({ 'model/readme.txt': 'nothing here' });
  const outcome = await playground.runHere(['index', 'docs', '--set', 'embedding.model=./model']);
  expectFailure(outcome, /model/);
  expect((await words('docs')).stdout).toBe('docs/note.md\n');
});

test('search answers from what is there while another process writes', async () => {
  await index('docs');
  const { index_path } = JSON.parse((await playground.runHere(['status', 'docs', '--json'])).stdout);
  const lock = await acquireWriteLock(join(index_path, 'index.sqlite'));
  const outcome = await words('docs').finally(() => lock.release());
  expect(outcome).toMatchObject({ code: 0, stdout: 'docs/note.md\n' });
  expect(outcome.stderr).toContain('The index is being brought up to date');
});

test('two index runs at once both end well, or one says the other is running', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, number) => [
      `docs/${number}.md`,
      `# Note ${number}\n\nLantern ${number}.\n`,
    ]),
  );
  playground.write(files);
  const outcomes = await Promise.all([1, 2].map(() => playground.run(['index', 'docs'])));
  for (const outcome of outcomes) {
    if (outcome.code !== 0) expectFailure(outcome, /is being written by process \d+/);
  }
  expect(outcomes.map(({ code }) => code)).toContain(0);
  const { stdout } = await playground.runHere(['status', 'docs', '--json']);
  expect(JSON.parse(stdout).index).toMatchObject({ documents: 61, stale: false });
});
