/** Commands that write the index or ask for much, while a server of it runs. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startService } from '../../adapters/openai/service.ts';
import { standBetween } from '../attach/stand-between.ts';
import { createPlayground } from './docfuse.ts';
import { startServe } from './start-serve.ts';
import { LATE, startWatching } from './start-watching.ts';

const playground = createPlayground({ 'other/a.md': '# Other\n\nLanterns.\n' });
afterAll(() => playground[Symbol.dispose]());

const watching = (...args: string[]) => startWatching(playground, args);

const FILES = 40;
const MANY = Object.fromEntries(
  Array.from({ length: FILES }, (_, file) => [`many/${file}.md`, `# File ${file}\n\nLantern ${file}.\n`]),
);

/** Answers questions at once, and passages when it is let. */
async function startSlowService() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const vectorsOf = (texts: readonly string[]) => texts.map(() => new Float32Array(8).fill(1));
  const service = await startService({
    embedder: {
      ...{ model: 'slow', dimensions: 8 },
      async embedPassages(texts) {
        if (texts.some((text) => text.includes('Lantern'))) await promise;
        return vectorsOf(texts);
      },
      embedQuery: async (text) => vectorsOf([text])[0]!,
      close: async () => {},
    },
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { service, letGo: resolve };
}

describe('while a server makes vectors', () => {
  test('index waits for it unless it wants no vectors, judge asks it; none of them makes its own', async () => {
    const { service, letGo } = await startSlowService();
    const own = `[embedding]\nprovider = "openai"\nbase_url = "${service.url}"\nmodel = "slow"\ndimensions = 8\n`;
    const file = '.config/docfuse/docfuse.toml';
    playground.write({ ...MANY, [file]: own });
    onTestFinished(() => rmSync(join(playground.folder, file)));
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

    const indexed = await playground.run(['index', 'many', '--json'], {
      // A command that does not wait asks for vectors within this second.
      onStart: (waiting) => waiting.stderr?.once('data', () => setTimeout(letGo, 1_000)),
    });
    // A script that waits must not look as if it hung.
    expect([indexed.code, indexed.stderr]).toEqual([
      0,
      expect.stringMatching(/^A server keeps this index up to date \(process \d+\)\.\n$/),
    ]);
    expect(JSON.parse(indexed.stdout)).toMatchObject({ unchanged: FILES, embedded: 0 });
    expect(await server()).toBe('idle');
    const passages = service.requests.flatMap(({ body }) => body.input ?? []);
    expect(passages.filter((text) => text.includes('Lantern'))).toHaveLength(FILES);
    await playground.run(['search', 'lantern', 'many', '--mode', 'keyword']);
    expect((await playground.run(['status', 'many'])).stdout).toMatch(
      /^Searches +by words half within \d+ ms, 95 % within \d+ ms$/m,
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

test('a server that only answers is in nobody’s way: others watch, poll, and serve beside it', async () => {
  playground.write({ 'copy/a.md': '# Alder\n' });
  await playground.run(['index', 'copy']);
  const readOnly = ['copy', '--read-only'];
  const { url } = await startServe(playground, readOnly);
  await startServe(playground, readOnly);
  const { out, outcome, stop } = watching('copy', '--watch', '--poll');
  await vi.waitFor(() => expect(out.stderr).toContain('Watching for changes'), LATE);
  expect(out.stderr).not.toContain('A server keeps this index up to date');
  playground.write({ 'copy/b.md': '# Birch\n\nA lantern.\n' });
  await vi.waitFor(() => expect(out.stdout).toContain('added copy/b.md\n'), LATE);
  const asked = async () => (await fetch(`${url}/api/search?query=lantern&mode=keyword`)).text();
  await vi.waitFor(async () => expect(await asked()).toContain('copy/b.md'), LATE);
  stop();
  await outcome;
  await startServe(playground, ['copy']);
}, 120_000);

test('read and related say why a document is missing as they do without a server', async () => {
  playground.write({
    'hid/.gitignore': 'private/\n',
    'hid/a.md': '# Ash\n',
    'hid/private/plan.md': '# Plan\n',
  });
  await startServe(playground, ['hid']);
  await vi.waitFor(async () => expect((await playground.run(['list', 'hid'])).stdout).toContain('Ash'), LATE);
  for (const command of ['read', 'related']) {
    const { code, stderr } = await playground.run([command, 'hid/private/plan.md', 'hid']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('hid/private/plan.md is not in the index yet.'),
    ]);
  }
});

test.each(['--judge', '--poll'])('serve --read-only takes no %s', async (option) => {
  const { code, stderr } = await playground.run(['serve', 'other', '--port', '0', '--read-only', option]);
  expect(code).toBe(2);
  expect(stderr).toContain(option);
});
