import fs, { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import {
  processStart,
  readServerLock,
  removeServerLock,
  type ServerLock,
  writeServerLock,
} from '../../../src/surfaces/remote/server-lock.ts';

const work = mkdtempSync(join(tmpdir(), 'docfuse-lock-'));
afterAll(() => rmSync(work, { recursive: true }));

test.each(['links', 'no links'])('on a file system with %s the first of two notes stands', (kind) => {
  const indexPath = join(work, kind);
  if (kind === 'no links') refuseLinks();
  const first = lockOf(indexPath, 'first');
  expect(writeServerLock(first)).toBe(true);
  expect(writeServerLock(lockOf(indexPath, 'second'))).toBe(false);
  expect(readServerLock(indexPath)).toEqual(first);
  expect(readdirSync(indexPath)).toEqual(['server.json']);
  if (process.platform !== 'win32') {
    expect(statSync(join(indexPath, 'server.json')).mode & 0o777).toBe(0o600);
  }
  removeServerLock(first);
  expect(readdirSync(indexPath)).toEqual([]);
});

/** The system's call fails as it does on FAT. */
function refuseLinks(): void {
  const { linkSync } = fs;
  const restore = () => {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  fs.linkSync = () => {
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
  };
  syncBuiltinESMExports();
}

function lockOf(indexPath: string, run: string): ServerLock {
  return {
    ...{ version: '0', run, key: 'key', host: '127.0.0.1', port: 1, index_path: indexPath, config: '' },
    ...{ pid: process.pid, process_start: processStart(process.pid) },
  };
}
