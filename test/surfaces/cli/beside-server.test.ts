/** Commands that write the index or ask for much, while a server of it runs. */
import type { ChildProcess } from 'node:child_process';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createPlayground } from './docfuse.ts';
import { startServe } from './start-serve.ts';

const playground = createPlayground({ 'other/a.md': '# Other\n\nLanterns.\n' });
afterAll(() => playground[Symbol.dispose]());

/** So many long passages that the model is busy with them for some seconds. */
function manyPassages(): Readonly<Record<string, string>> {
  const text = (file: number) =>
    Array.from({ length: 260 }, (_, word) => `word${(file * 977 + word * 31) % 9_973}`).join(' ');
  const names = Array.from({ length: 60 }, (_, file) => file);
  return Object.fromEntries(names.map((file) => [`many/${file}.md`, `# File ${file}\n\n${text(file)}\n`]));
}

describe('while a server makes vectors', () => {
  test('index waits for it and judge asks it; none of them makes its own', async () => {
    playground.write(manyPassages());
    const { child } = await startServe(playground, ['many']);
    const server = async () =>
      JSON.parse((await playground.run(['status', 'many', '--json'])).stdout).server.activity.state;
    await vi.waitFor(async () => expect(await server()).toBe('embedding'), { timeout: 60_000 });
    const judged = await playground.run(['judge', 'file 7', 'many', '--grades', '2', '--json']);
    expect([judged.code, judged.stderr]).toEqual([0, '']);
    expect(JSON.parse(judged.stdout).judgements).toHaveLength(1);

    const indexed = await playground.run(['index', 'many', '--json']);
    // A script that waits must not look as if it hung.
    expect([indexed.code, indexed.stderr]).toEqual([
      0,
      expect.stringMatching(/^A server keeps this index up to date \(process \d+\)\.\n$/),
    ]);
    expect(JSON.parse(indexed.stdout)).toMatchObject({ unchanged: 60, embedded: 0 });
    expect(await server()).toBe('idle');
    const again = await playground.run(['index', 'many']);
    expect(again.stderr).toBe(`A server keeps this index up to date (process ${child.pid}).\n`);
  }, 180_000);
});

test('index --watch listens to the server, and watches by itself once that is gone', async () => {
  const { child } = await startServe(playground, ['other']);
  const out = { stdout: '', stderr: '' };
  let watcher: ChildProcess | undefined;
  const outcome = playground.run(['index', 'other', '--watch'], {
    onStart(started) {
      watcher = started;
      started.stdout?.on('data', (text: string) => (out.stdout += text));
      started.stderr?.on('data', (text: string) => (out.stderr += text));
    },
  });
  const late = { timeout: 30_000, interval: 50 };
  await vi.waitFor(() => expect(out.stderr).toContain('Watching for changes'), late);
  // A change that came before it listened is not told.
  let number = 0;
  await vi.waitFor(() => {
    playground.write({ [`other/${number++}.md`]: '# Served\n' });
    expect(out.stdout).toMatch(/added other\/\d+\.md/);
  }, late);
  child.kill('SIGKILL');
  await vi.waitFor(() => {
    playground.write({ 'other/alone.md': '# Alone\n' });
    expect(out.stdout).toContain('added other/alone.md\n');
  }, late);
  watcher?.kill('SIGINT');
  expect((await outcome).code).toBe(0);
  expect(out.stderr).toMatch(/Stopped\.\n$/);
}, 90_000);
