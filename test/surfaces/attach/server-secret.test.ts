/** The key of servers: made once, for this user alone, and not used where others could know or choose it. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { makeServerSecret, readServerSecret } from '../../../src/surfaces/attach/server-secret.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { createServed } from '../http/served.ts';

const work = sharedFolder();
afterEach(() => vi.unstubAllEnvs());

test('it is made once, for its owner alone, by a server and not by a command', () => {
  const folder = join(work, 'a/b/docfuse');
  expect(readServerSecret(folder)).toBeUndefined();
  expect(readdirSync(work)).toEqual([]);
  const secret = makeServerSecret(folder);
  expect(secret).toHaveLength(32);
  expect([makeServerSecret(folder), readServerSecret(folder)]).toEqual([secret, secret]);
  expect(readdirSync(folder)).toEqual(['server.key']);
  if (process.platform === 'win32') return;
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'server.key')).mode & 0o777).toBe(0o600);
});

test('servers that start at once get the same', async () => {
  const folder = join(work, 'at-once');
  const module = new URL('../../../src/surfaces/attach/server-secret.ts', import.meta.url).href;
  const code = `const { makeServerSecret } = await import(${JSON.stringify(module)}); process.stdout.write(Buffer.from(makeServerSecret(${JSON.stringify(folder)})).toString('hex'))`;
  const made = await Promise.all(
    Array.from({ length: 6 }, () =>
      text(spawn(process.execPath, ['--input-type=module', '-e', code]).stdout),
    ),
  );
  expect(new Set(made)).toEqual(new Set([Buffer.from(readServerSecret(folder)!).toString('hex')]));
  expect(readdirSync(folder)).toEqual(['server.key']);
});

const SPOILT: Readonly<Record<string, (folder: string) => void>> = {
  'the file can be read by others': (folder) => chmodSync(join(folder, 'server.key'), 0o640),
  'the file can be written by others': (folder) => chmodSync(join(folder, 'server.key'), 0o602),
  'the folder can be written by others': (folder) => chmodSync(folder, 0o770),
  'the file is too short': (folder) => writeFileSync(join(folder, 'server.key'), 'short'),
  'the file is too long': (folder) => writeFileSync(join(folder, 'server.key'), 'x'.repeat(33)),
  'the file is a link'(folder) {
    writeFileSync(join(work, 'elsewhere'), 'x'.repeat(32), { mode: 0o600 });
    rmSync(join(folder, 'server.key'));
    symlinkSync(join(work, 'elsewhere'), join(folder, 'server.key'));
  },
  'the file is a pipe'(folder) {
    rmSync(join(folder, 'server.key'));
    execFileSync('mkfifo', ['-m', '600', join(folder, 'server.key')]);
  },
  'the folder is a link'(folder) {
    rmSync(folder, { recursive: true });
    makeServerSecret(`${folder}-real`);
    symlinkSync(`${folder}-real`, folder);
  },
  'the folder is a file'(folder) {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
  },
  'a file stands where folders belong'(folder) {
    rmSync(dirname(folder), { recursive: true });
    writeFileSync(dirname(folder), '');
  },
  ...(process.getuid?.() === 0 && {
    'the file is another user’s': (folder: string) => chownSync(join(folder, 'server.key'), 65534, 65534),
    'the folder is another user’s': (folder: string) => chownSync(folder, 65534, 65534),
  }),
};

test.skipIf(process.platform === 'win32').each(Object.entries(SPOILT))(
  'where %s, a server says it once and serves without',
  async (name, spoil) => {
    const state = join(work, name);
    const folder = join(state, 'docfuse');
    mkdirSync(state);
    makeServerSecret(folder);
    spoil(folder);
    expect(readServerSecret(folder)).toBeUndefined();
    const said = expect.stringMatching(
      /^The server’s key cannot be stored in .*docfuse, so commands .* Make sure that you own this folder/,
    );
    expect(() => makeServerSecret(folder)).toThrow(expect.objectContaining({ code: 'storage' }));
    vi.stubEnv('XDG_STATE_HOME', state);
    const warnings: string[] = [];
    await using served = await createServed({ onWarning: ({ message }) => warnings.push(message) });
    expect(warnings).toEqual([said]);
    expect((await served.get('/api/status')).status).toBe(200);
  },
);
