import { fork } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { BIN, createPlayground } from './docfuse.ts';

test('a server says when which documents changed', async () => {
  using playground = createPlayground({ 'docs/a.md': 'Lantern.', 'docs/b.md': 'Harbour.' });
  const child = fork(BIN, ['serve', '--port', '0', 'docs'], {
    ...{ cwd: playground.folder, env: playground.env, silent: true },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr!.on('data', (text) => {
    log += text;
  });
  await expect
    .poll(() => log, { timeout: 60_000 })
    .toMatch(/^\d\d:\d\d:\d\d added docs\/a\.md, added docs\/b\.md$/m);
  playground.write({ 'docs/b.md': 'Quay.', 'docs/c\u202e.md': 'Pier.' });
  await expect.poll(() => log, { timeout: 30_000 }).toMatch(/^\d\d:\d\d:\d\d .*changed docs\/b\.md/m);
  await expect.poll(() => log, { timeout: 30_000 }).toContain(String.raw`added docs/c\u202e.md`);
  playground.write(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`docs/${n}.md`, `Number ${n}.`])));
  await expect
    .poll(() => log, { timeout: 30_000 })
    .toMatch(/^\d\d:\d\d:\d\d added \S+, added \S+, added \S+ and \d more$/m);
});

test('--log-format json: each event is a line of JSON, and no query is among them', async () => {
  using playground = createPlayground({ 'docs/a.md': 'Lantern.' });
  const child = fork(BIN, ['serve', '--port', '0', '--log-format', 'json', 'docs'], {
    ...{ cwd: playground.folder, env: playground.env, silent: true },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = new Promise((resolve) => child.on('exit', resolve));
  let [log, printed] = ['', ''];
  child.stderr!.on('data', (text) => {
    log += text;
  });
  child.stdout!.on('data', (text) => {
    printed += text;
  });
  const events = () =>
    log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const event = async (name: string) => {
    await expect.poll(() => events().map((each) => each.event), { timeout: 30_000 }).toContain(name);
    return events().find((each) => each.event === name)!;
  };
  const { url } = (await event('serving')) as { readonly url: string };
  expect(await event('changed')).toMatchObject({
    ...{ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), count: 1 },
    documents: [{ document: 'docs/a.md', change: 'added' }],
  });
  await fetch(`${url}/api/search?query=quagga`);
  expect(await event('answer')).toMatchObject({ operation: 'search', outcome: 'ok', ms: expect.any(Number) });
  await fetch(`${url}/api/documents/quagga`);
  await expect.poll(() => events().map(({ outcome }) => outcome)).toContain('not_found');
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(
    events()
      .slice(-2)
      .map((each) => each.event),
  ).toEqual(['stopping', 'stopped']);
  expect(log).not.toContain('quagga');
  expect(printed).toBe('');
});
