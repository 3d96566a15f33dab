/** The real command `index --watch`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createPlayground } from './docfuse.ts';
import { LATE, startWatching } from './start-watching.ts';

const playground = createPlayground({ 'docs/a.md': '# Alder\n', 'docs/b.md': '# Birch\n' });
afterAll(() => playground[Symbol.dispose]());
const watching = (...options: string[]) => startWatching(playground, ['docs', ...options]);

test.each([['--watch'], ['--poll']])(
  'index %s builds, stays, tells what changes and ends well',
  async (option) => {
    const { out, outcome, stop } = watching(option);
    await vi.waitFor(() => expect(out.stderr).toContain('Watching for changes'), LATE);
    expect(out.stdout).toContain('Files: 2');
    playground.write({ 'docs/c.md': '# Cherry\n' });
    await vi.waitFor(() => expect(out.stdout).toContain('added docs/c.md\n'), LATE);
    rmSync(join(playground.folder, 'docs/c.md'));
    await vi.waitFor(() => expect(out.stdout).toContain('removed docs/c.md\n'), LATE);
    stop();
    expect((await outcome).code).toBe(0);
    expect(out.stderr).toMatch(/Watching for changes; Ctrl-C ends it\.\nStopped\.\n$/);
  },
  90_000,
);

test('index --watch --json prints a line for what changed together', async () => {
  const { out, outcome, stop } = watching('--watch', '--json');
  await vi.waitFor(() => expect(out.stdout).toContain('"dry_run": false'), LATE);
  playground.write({ 'docs/d.md': '# Damson\n' });
  const line = '{"changes":[{"document":"docs/d.md","change":"added"}]}';
  await vi.waitFor(() => expect(out.stdout.split('\n')).toContain(line), LATE);
  stop();
  expect(await outcome).toMatchObject({ code: 0, stderr: '' });
}, 90_000);
