/** An index that a server or an assistant has open is not deleted under it. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';
import { startServe } from './start-serve.ts';

const playground = createPlayground({ 'notes/keys.md': '# Keys\n\nRotate your keys.\n' });
beforeAll(async () => {
  expect((await playground.run(['index', 'notes', '--no-embed'])).code).toBe(0);
});
afterAll(() => playground[Symbol.dispose]());

const remove = () => playground.run(['indexes', 'rm', 'notes', '--json']);

test('a running server is named; once it is gone, its note holds nothing up', async () => {
  const { child, lockFile, exited } = await startServe(playground, ['notes']);
  const refused = await remove();
  expect([refused.code, JSON.parse(refused.stderr)]).toEqual([
    1,
    expect.objectContaining({
      code: 'index_busy',
      detail: expect.stringContaining(`A server (process ${child.pid}) has the index notes-`),
      remedy: 'Stop it first.',
    }),
  ]);
  child.kill('SIGKILL');
  await exited;
  expect(existsSync(lockFile)).toBe(true);
  // Another process, this one, reads the index: the note of the dead server is not blamed for it.
  const database = new DatabaseSync(lockFile.replace('server.json', 'index.sqlite'));
  database.exec('SELECT count(*) FROM documents');
  expect((await remove()).stderr).toContain('Another process has the index');
  database.close();
  // Its number may be that of a living process by now.
  writeFileSync(lockFile, JSON.stringify({ pid: process.pid }));
  expect((await remove()).code).toBe(0);
  expect(existsSync(dirname(lockFile))).toBe(false);
});
