/** Where the system lets nobody watch more, files are compared every few seconds; the limits are real ones, of a namespace. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createVault } from './vault.ts';

const CHILD = join(import.meta.dirname, 'watch-child.ts');
const hasNamespaces = spawnSync('unshare', ['-Ur', 'true']).status === 0;

test.skipIf(!hasNamespaces).each([
  [
    'max_inotify_watches',
    1,
    /garden cannot be watched \(the system allows no more watches;.*max_user_watches/,
  ],
  ['max_inotify_instances', 0, /cannot be watched \(the system allows no more watchers;.*max_user_instances/],
])(
  'with %s at %i changes are found by comparing, and it says so once (only with user namespaces)',
  async (limit, value, says) => {
    const vault = createVault({ 'bread.md': '# Bread\n', 'garden/beans.md': '# Beans\n' });
    const limited = `echo ${value} > /proc/sys/user/${limit} && exec "$@"`;
    const command = [process.execPath, CHILD, vault.folder, vault.indexPath];
    const child = spawn('unshare', ['-Ur', 'sh', '-c', limited, 'sh', ...command]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (text) => (said += text));
    child.stderr.on('data', (text) => (said += text));
    const hears = (what: string) => vi.waitFor(() => expect(said).toContain(what), { timeout: 25_000 });
    await hears('ready\n');
    vault.write('garden/beans.md', '# Beans\n\nSow them in May.\n');
    await hears('changed notes/garden/beans.md\n');
    vault.write('garden/herbs/mint.md', '# Mint\n');
    await hears('added notes/garden/herbs/mint.md\n');
    vault.remove('garden/beans.md');
    await hears('removed notes/garden/beans.md\n');
    expect(said).toMatch(says);
    expect(said).toContain('All files are compared every 0.2 s instead.');
    expect(said.match(/cannot be watched/g)).toHaveLength(1);
    expect(said).not.toMatch(/Error/);
  },
);
