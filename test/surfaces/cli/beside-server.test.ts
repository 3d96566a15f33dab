/** Commands that write the index or ask for much, while a server of it runs. */
import { afterAll, describe, expect, test, vi } from 'vitest';
import { standBetween } from '../attach/stand-between.ts';
import { createPlayground } from './docfuse.ts';
import { startServe } from './start-serve.ts';
import { LATE, startWatching } from './start-watching.ts';

const playground = createPlayground({ 'other/a.md': '# Other\n\nLanterns.\n' }, { packagedModel: true });
afterAll(() => playground[Symbol.dispose]());

const watching = (...args: string[]) => startWatching(playground, args);

/** So many files of long passages that the model is busy with them for some seconds. */
const FILES = 40;
function manyPassages(): Readonly<Record<string, string>> {
  const text = (file: number) =>
    Array.from({ length: 260 }, (_, word) => `word${(file * 977 + word * 31) % 9_973}`).join(' ');
  const names = Array.from({ length: FILES }, (_, file) => file);
  return Object.fromEntries(names.map((file) => [`many/${file}.md`, `# File ${file}\n\n${text(file)}\n`]));
}

describe('while a server makes vectors', () => {
  test('index waits for it unless it wants no vectors, judge asks it; none of them makes its own', async () => {
    playground.write(manyPassages());
    const { child } = await startServe(playground, ['many']);
    const server = async () =>
      JSON.parse((await playground.run(['status', 'many', '--json'])).stdout).server.activity.state;
    await vi.waitFor(async () => expect(await server()).toBe('embedding'), { timeout: 60_000 });
    const [said, checked] = await Promise.all(
      ['status', 'doctor'].map((command) => playground.run([command, 'many'])),
    );
    expect(said!.stdout).toContain('some passages have none yet; the server makes them\n');
    expect(checked!.stdout).toContain('Wait until it is done');
    expect(said!.stdout + checked!.stdout).not.toContain('docfuse index');
    const [judged, words, stopped] = await Promise.all([
      playground.run(['judge', 'file 7', 'many', '--grades', '2', '--json']),
      playground.run(['index', 'many', '--no-embed', '--json']),
      playground.run(['index', 'many'], {
        onStart: (waiting) => waiting.stderr?.once('data', () => waiting.kill('SIGINT')),
      }),
    ]);
    expect(await server(), 'nobody waited for the vectors').toBe('embedding');
    expect(JSON.parse(words.stdout)).toMatchObject({ unchanged: FILES, embedded: 0 });
    expect(stopped.code).toBe(130);
    expect([judged.code, judged.stderr]).toEqual([0, '']);
    expect(JSON.parse(judged.stdout).judgements).toHaveLength(1);

    const indexed = await playground.run(['index', 'many', '--json']);
    // A script that waits must not look as if it hung.
    expect([indexed.code, indexed.stderr]).toEqual([
      0,
      expect.stringMatching(/^A server keeps this index up to date \(process \d+\)\.\n$/),
    ]);
    expect(JSON.parse(indexed.stdout)).toMatchObject({ unchanged: FILES, embedded: 0 });
    expect(await server()).toBe('idle');
    await playground.run(['search', 'lantern', 'many', '--mode', 'keyword']);
    expect((await playground.run(['status', 'many'])).stdout).toMatch(
      /^Searches +half within \d+ ms, 95 % within \d+ ms$/m,
    );
    const again = await playground.run(['index', 'many']);
    expect(again.stderr).toBe(`A server keeps this index up to date (process ${child.pid}).\n`);
  }, 180_000);
});

test('index --watch listens to the server, hears what it missed, and watches by itself once that is gone', async () => {
  const running = await startServe(playground, ['other']);
  const { child } = running;
  const between = await standBetween(running, playground.env.XDG_STATE_HOME!);
  const { out, outcome, stop } = watching('other', '--watch');
  await vi.waitFor(() => expect(out.stderr).toContain('Watching for changes'), LATE);
  playground.write({ 'other/served.md': '# Served\n' });
  await vi.waitFor(() => expect(out.stdout).toContain('added other/served.md\n'), LATE);

  between.hold();
  playground.write({ 'other/missed.md': '# Missed\n' });
  const list = ['list', 'other', '--json', '--path', 'missed.md'];
  await vi.waitFor(async () => expect((await playground.run(list)).stdout).toContain('missed.md'), LATE);
  expect(out.stdout).not.toContain('missed.md');
  between.cut();
  await vi.waitFor(() => expect(out.stdout).toContain('added other/missed.md\n'), LATE);

  child.kill('SIGKILL');
  playground.write({ 'other/alone.md': '# Alone\n' });
  await vi.waitFor(() => expect(out.stdout).toContain('added other/alone.md\n'), LATE);
  stop();
  expect((await outcome).code).toBe(0);
  expect(out.stderr).toMatch(/Watching for changes; Ctrl-C ends it\.\nStopped\.\n$/);
}, 90_000);

test('--poll is for the server to do', async () => {
  const { child } = await startServe(playground, ['other']);
  const { code, stdout, stderr } = await playground.run(['index', 'other', '--poll']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(
    `A server keeps this index up to date (process ${child.pid}), so only the server can poll`,
  );
  expect(stderr).toContain('docfuse serve with --poll');
});
