import fs, {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type DiscoveryFile,
  processStart,
  readDiscoveryFile,
  removeDiscoveryFile,
  writeDiscoveryFile,
} from '../../../src/surfaces/attach/discovery-file.ts';
import { sendRequest } from '../../../src/surfaces/attach/send-request.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const work = sharedFolder();

test.each(['links', 'no links'])(
  'on a file system with %s the first of two discovery files stands',
  (kind) => {
    const indexPath = join(work, kind);
    if (kind === 'no links') refuseLinks();
    const first = lockOf(indexPath, 'first');
    expect(writeDiscoveryFile(first)).toBe(true);
    expect(writeDiscoveryFile(lockOf(indexPath, 'second'))).toBe(false);
    expect(readDiscoveryFile(indexPath)).toEqual(first);
    expect(readdirSync(indexPath)).toEqual(['server.json']);
    if (process.platform !== 'win32') {
      expect(statSync(join(indexPath, 'server.json')).mode & 0o777).toBe(0o600);
    }
    removeDiscoveryFile(first);
    expect(readdirSync(indexPath)).toEqual([]);
  },
);

test('of two servers that find the same dead discovery file the first to replace it stays', () => {
  const indexPath = join(work, 'dead');
  const first = lockOf(indexPath, 'first');
  mkdirSync(indexPath);
  const dead = { ...lockOf(indexPath, 'dead'), process_start: 'long ago' };
  writeFileSync(join(indexPath, 'server.json'), JSON.stringify(dead));
  // The first one comes between: the second has seen the dead discovery file, and has not yet taken it away.
  const { renameSync, rmSync: remove } = fs;
  const restore = () => {
    Object.assign(fs, { renameSync, rmSync: remove });
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  const overtaken = <Call extends (...args: never[]) => unknown>(call: Call) =>
    ((...args: Parameters<Call>) => {
      restore();
      expect(writeDiscoveryFile(first)).toBe(true);
      return call(...args);
    }) as Call;
  Object.assign(fs, { renameSync: overtaken(renameSync), rmSync: overtaken(remove) });
  syncBuiltinESMExports();
  expect(writeDiscoveryFile(lockOf(indexPath, 'second'))).toBe(false);
  expect(readDiscoveryFile(indexPath)).toEqual(first);
  expect(readdirSync(indexPath)).toEqual(['server.json']);
});

test('a discovery file that came along with a moved folder counts no more; by another way to the same folder it does', () => {
  const [indexPath, moved, link] = [join(work, 'here'), join(work, 'moved'), join(work, 'link')];
  const first = lockOf(indexPath, 'first');
  expect(writeDiscoveryFile(first)).toBe(true);
  symlinkSync(indexPath, link, 'junction');
  expect(readDiscoveryFile(link)).toEqual(first);
  renameSync(indexPath, moved);
  expect(readDiscoveryFile(moved)).toBeUndefined();
  // Its server may have made the index anew.
  mkdirSync(indexPath);
  expect(readDiscoveryFile(moved)).toBeUndefined();
  const second = lockOf(moved, 'second');
  expect(writeDiscoveryFile(second)).toBe(true);
  expect(readDiscoveryFile(moved)).toEqual(second);
});

// Only the superuser may give files away.
test.skipIf(process.getuid?.() !== 0)(
  'a discovery file of another user counts for nothing, and stays (only as root)',
  () => {
    const indexPath = join(work, 'foreign-owner');
    const file = join(indexPath, 'server.json');
    const first = lockOf(indexPath, 'first');
    expect(writeDiscoveryFile(first)).toBe(true);
    chownSync(file, 65534, 65534);
    expect(readDiscoveryFile(indexPath)).toBeUndefined();
    expect(() => writeDiscoveryFile(lockOf(indexPath, 'second'))).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: `${file} was not written by a server of yours, but the server must write its discovery file there.`,
      }),
    );
    expect(readdirSync(indexPath)).toEqual(['server.json']);
    chownSync(file, 0, 0);
    expect(readDiscoveryFile(indexPath)).toEqual(first);
  },
);

test('where nothing can be written the reason is a sentence, not a failure of the system', () => {
  const indexPath = join(work, 'a-file');
  writeFileSync(indexPath, '');
  expect(() => writeDiscoveryFile(lockOf(indexPath, 'first'))).toThrow(
    expect.objectContaining({
      code: 'storage',
      message: expect.stringContaining('cannot write its discovery file into'),
    }),
  );
});

test.each(['{"port": 80}', '{"version":"2"}', '[]', 'null', 'port = 80\n', '{"version": '])(
  'a file %j of that name that is no discovery file stays, and no server starts over it',
  (text) => {
    const indexPath = mkdtempSync(join(work, 'foreign-'));
    const file = join(indexPath, 'server.json');
    writeFileSync(file, text);
    expect(() => writeDiscoveryFile(lockOf(indexPath, 'first'))).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: expect.stringContaining('was not written by a server'),
      }),
    );
    expect([readdirSync(indexPath), readFileSync(file, 'utf8')]).toEqual([['server.json'], text]);
  },
);

test('a folder of that name stays, and no server starts over it', () => {
  const indexPath = mkdtempSync(join(work, 'folder-'));
  mkdirSync(join(indexPath, 'server.json'));
  expect(() => writeDiscoveryFile(lockOf(indexPath, 'first'))).toThrow(
    'was not written by a server of yours',
  );
  expect(readdirSync(indexPath)).toEqual(['server.json']);
});

test('a discovery file of which only the beginning was written is replaced', () => {
  for (const length of [0, 5, 40]) {
    const indexPath = mkdtempSync(join(work, 'half-'));
    const first = lockOf(indexPath, 'first');
    writeFileSync(join(indexPath, 'server.json'), JSON.stringify(first).slice(0, length));
    expect(writeDiscoveryFile(first)).toBe(true);
  }
});

test('a discovery file that came with a folder sends nothing to another machine', async () => {
  // Neither is an address of this machine, so binding to it fails before anything is sent.
  for (const host of ['192.0.2.1', 'evil.example', '2001:db8::1']) {
    const server = { ...lockOf(work, 'run'), host, port: 9, secret: new Uint8Array(32) };
    const asked = sendRequest(server, { method: 'GET', path: '/healthz', accept: 'application/json' });
    await expect(asked).rejects.toMatchObject({
      code: expect.stringMatching(/^(EADDRNOTAVAIL|ERR_INVALID_IP_ADDRESS|EINVAL|EAFNOSUPPORT)$/),
    });
  }
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

function lockOf(indexPath: string, run: string): DiscoveryFile {
  return {
    ...{ version: '0', run, host: '127.0.0.1', port: 1, index_path: indexPath, config: '' },
    ...{ pid: process.pid, process_start: processStart(process.pid) },
  };
}
