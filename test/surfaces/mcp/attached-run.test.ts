/** Looking for a server when nobody asks. */
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../../src/surfaces/http/start-server.ts';
import { attachRun } from '../../../src/surfaces/mcp/attached-run.ts';
import { listDocuments } from '../../../src/surfaces/operations/list.ts';
import { createPlayground } from '../cli/docfuse.ts';

test('a look that fails ends nothing: the index that is open here goes on answering', async () => {
  using playground = createPlayground({ 'notes/a.md': '# Alpha\n' });
  let fails = false;
  let looks = 0;
  const options = {
    roots: ['notes'],
    indexPath: join(playground.folder, '.i'),
    get cwd() {
      looks++;
      if (fails) throw new Error('The working directory is gone.');
      return playground.folder;
    },
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const attached = await attachRun({ open: options, attach: true });
  onTestFinished(() => attached.close());
  const list = () => attached.run(listDocuments, {});
  await expect.poll(list, { timeout: 30_000 }).toMatchObject({ total: 1 });
  fails = true;
  const before = looks;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(looks).toBe(before + 1);
  fails = false;
  expect(await list()).toMatchObject({ total: 1 });
});

test('an index that is closed here because a server answers is given back', async () => {
  using playground = createPlayground({ 'notes/a.md': '# Alpha\n' });
  const options = { roots: ['notes'], indexPath: join(playground.folder, '.i'), cwd: playground.folder };
  let times = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const attached = await attachRun({ open: { ...options, onGivenBack: () => times++ } });
  onTestFinished(() => attached.close());
  expect(await attached.run(listDocuments, {})).toBeDefined();
  const server = await startServer({ open: options, port: 0 });
  onTestFinished(() => server.close());
  expect(times).toBe(0);
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.poll(() => times, { timeout: 30_000 }).toBe(1);
});
