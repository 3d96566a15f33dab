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
