/** What is no file where one of the index belongs is refused with a sentence; opening a named pipe would wait for ever. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlayground } from '../../surfaces/cli/docfuse.ts';

const pipe = (path: string) => execFileSync('mkfifo', [path]);
const attacks: Readonly<Record<string, readonly [name: string, make: (path: string) => void, says: RegExp]>> =
  {
    'a pipe for the database': ['index.sqlite', pipe, /is a named pipe/],
    'a pipe for its log': ['index.sqlite-wal', pipe, /is a named pipe/],
    'a pipe for its shared memory': ['index.sqlite-shm', pipe, /is a named pipe/],
    'a pipe for its journal': ['index.sqlite-journal', pipe, /is a named pipe/],
    'a pipe for the lock': ['index.sqlite.lock', pipe, /is a named pipe/],
    'a pipe for a rebuild': ['index.sqlite.new', pipe, /is a named pipe/],
    'an endless device': ['index.sqlite', (path) => symlinkSync('/dev/zero', path), /is a device/],
    'a folder': ['index.sqlite', (path) => mkdirSync(path), /is a folder/],
  };

test.skipIf(process.platform === 'win32').each(Object.entries(attacks))(
  '%s',
  async (_, [name, make, says]) => {
    using playground = createPlayground({ 'docs/a.md': '# Alpha\n' });
    const folder = join(playground.folder, 'index');
    mkdirSync(folder);
    make(join(folder, name));
    const args = ['docs', '--index', 'index', '--no-embed'];
    const { code, stderr } = await playground.run(['index', ...args], {
      onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), 15_000).unref(),
    });
    expect(stderr).toMatch(says);
    expect(code).toBe(1);
  },
);
