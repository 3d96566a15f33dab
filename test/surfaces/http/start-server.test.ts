/** A start that fails half-way leaves nothing behind that would hold its port or its process. */
import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { FORMAT } from '../../../src/adapters/store/schema.ts';
import type { OpenOptions } from '../../../src/engine/api.ts';
import { readDiscoveryFile, writeDiscoveryFile } from '../../../src/surfaces/attach/discovery-file.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { type RunningServer, startServer } from '../../../src/surfaces/http/start-server.ts';
import { attachRun } from '../../../src/surfaces/mcp/attached-run.ts';
import { serveStdio } from '../../../src/surfaces/mcp/serve-stdio.ts';
import { makeOlder } from '../../support/make-older.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const work = sharedFolder();

test('a note that cannot be written closes the port, the index and its watchers', async () => {
  const [folder, indexPath] = [join(work, 'notes'), join(work, 'index')];
  const inTheWay = join(indexPath, 'server.json');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.md'), '# A\n\nWords.\n');
  mkdirSync(inTheWay, { recursive: true });
  const port = await freePort();
  const start = () => startServer({ open: { roots: [folder], indexPath, cwd: work }, port });
  await expect(start()).rejects.toThrow(/server\.json/);
  await expect.poll(watchers).toBe(0);
  rmSync(inTheWay, { recursive: true });
  await (await start()).close();
});

test('where the system does not say when a process began, a note of a process that is no server is in nobody’s way', async () => {
  const [folder, indexPath] = [join(work, 'plain'), join(work, 'plain-index')];
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.md'), '# A\n\nWords.\n');
  hideProcesses();
  const open = { roots: [folder], indexPath, cwd: work };
  const first = await startServer({ open, port: 0 });
  const note = readDiscoveryFile(indexPath)!;
  expect(note.process_start).toBe('');
  await expect(startServer({ open, port: 0 })).rejects.toThrow(/served already/);
  await first.close();
  // It was killed, and its number is now that of this process, which listens nowhere.
  expect(writeDiscoveryFile({ ...note, port: await freePort() })).toBe(true);
  const next = await startServer({ open, port: 0 });
  expect(readDiscoveryFile(indexPath)?.run).not.toBe(note.run);
  await next.close();
});

test('an index of an older format is rebuilt by the server, with its vectors', async () => {
  const [folder, indexPath] = [join(work, 'older'), join(work, 'older-index')];
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.md'), '# A\n\nWords.\n');
  const open = { roots: [folder], indexPath, cwd: work };
  await (await startUntilReady(open)).close();
  const database = new DatabaseSync(join(indexPath, 'index.sqlite'));
  makeOlder(database, FORMAT - 1);
  const server = await startUntilReady(open);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: FORMAT });
  expect(database.prepare('SELECT count(*) AS vectors FROM vectors').get()).toEqual({ vectors: 1 });
  database.close();
  await server.close();
});

test('wrong options are refused, by name, before anything is opened', async () => {
  const open = { roots: [join(work, 'nowhere')], cwd: work };
  for (const [options, said] of [
    [undefined, 'open: it is missing.'],
    [{ open, tokn: 'abc' }, 'unknown field tokn (nearest: token).'],
    [{ open, roots: ['docs'] }, 'unknown field roots'],
    [{ open: { root: 'docs' } }, 'open: unknown field root (nearest: roots).'],
    [{ open, port: '7412' }, 'port: “7412” is not a number.'],
    [{ open, port: 99_999 }, 'port: 99999 is more than 65535.'],
    [{ open, token: '' }, 'token: it is empty.'],
    [{ open, host: '' }, 'host: it is empty.'],
    [{ open: { ...open, indexPath: '' } }, 'open.indexPath: it is empty.'],
  ] as const)
    await expect(startServer(options as never)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`startServer(): ${said}`),
    });
  const address = { host: '127.0.0.1', port: 0 };
  for (const [options, said] of [
    [{ ...address, port: 99_999 }, 'port: 99999 is more than 65535.'],
    [{ ...address, host: '' }, 'host: it is empty.'],
    [{ ...address, headersMs: -1 }, 'headersMs: -1 is less than 1.'],
  ] as const)
    await expect(listen(async () => new Response(), options)).rejects.toMatchObject({
      code: 'usage',
      message: `listen(): ${said}`,
    });
  // The headers are a part of the request.
  await (await listen(async () => new Response(), { ...address, requestMs: 500 })).close(0);
  for (const start of [attachRun, serveStdio])
    await expect((start as () => Promise<unknown>)()).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`${start.name}(): open: it is missing`),
    });
});

async function startUntilReady(open: OpenOptions): Promise<RunningServer> {
  const { promise: ready, resolve: onReady, reject: onFailure } = Promise.withResolvers<void>();
  const server = await startServer({ open, port: 0, onReady, onFailure });
  await ready;
  return server;
}

/** As on systems without /proc. */
function hideProcesses(): void {
  const { readFileSync } = fs;
  onTestFinished(() => {
    fs.readFileSync = readFileSync;
    syncBuiltinESMExports();
  });
  fs.readFileSync = ((path: string, ...rest: never[]) => {
    if (String(path).startsWith('/proc/')) throw new Error('There is no /proc.');
    return readFileSync(path, ...rest);
  }) as typeof readFileSync;
  syncBuiltinESMExports();
}

function watchers(): number {
  return process.getActiveResourcesInfo().filter((name) => /FSEvent|TCPServer/.test(name)).length;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { readonly port: number };
  await new Promise((done) => server.close(done));
  return port;
}
