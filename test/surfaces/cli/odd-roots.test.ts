/** Roots that are neither files nor folders. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

test.runIf(process.platform === 'linux')(
  'a pipe, a socket or a device is named, and leaves no index',
  async () => {
    using playground = createPlayground({ 'notes/a.md': '# Alpha\n' });
    const { folder } = playground;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const server = createServer().listen(join(folder, 'socket'));
    const kinds = [
      [join(folder, 'pipe'), 'a pipe'],
      [join(folder, 'socket'), 'a socket'],
      ['/dev/null', 'a device'],
    ] as const;
    for (const [path, kind] of kinds) {
      const said = `${path} is not a file or folder that can be read (${kind}).`;
      for (const command of [['index'], ['search', 'x'], ['status'], ['doctor'], ['serve'], ['mcp']]) {
        const run = ['serve', 'mcp'].includes(command[0]!) ? playground.run : playground.runHere;
        const { code, stdout, stderr } = await run([...command, path]);
        expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(said)]);
      }
    }
    server.close();
    expect(existsSync(join(folder, '.data'))).toBe(false);

    // In place of a folder that was indexed, it takes nothing away.
    await playground.runHere(['index', 'notes', '--no-embed']);
    rmSync(join(folder, 'notes'), { recursive: true });
    execFileSync('mkfifo', [join(folder, 'notes')]);
    expect((await playground.runHere(['index', 'notes', '--no-embed'])).code).toBe(1);
    expect((await playground.runHere(['list', 'notes', '--json'])).stdout).toContain('a.md');
  },
  60_000,
);

test.skipIf(process.platform === 'win32')(
  'a link that leads to itself is not called a matter of permission',
  async () => {
    using playground = createPlayground({});
    symlinkSync('loop', join(playground.folder, 'loop'));
    const { code, stderr } = await playground.runHere(['index', 'loop']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('can be read (error ELOOP).')]);
  },
);
