import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SyncProgress } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { createVault } from './vault.ts';

const NOTES = Object.fromEntries(
  Array.from({ length: 40 }, (_, number) => [`${number}.md`, `# Note ${number}\n\nLantern ${number}.\n`]),
);

test('closing stops a sync with a sentence, waits for searches, and what was read is kept', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  let reading = () => {};
  const started = new Promise<void>((resolve) => {
    reading = resolve;
  });
  const stopped = index.sync({ onProgress: ({ done }) => done === 5 && reading() });
  const outcome = expect(stopped).rejects.toMatchObject({ code: 'aborted', remedy: expect.any(String) });
  await started;
  const asked = index.search('lantern', { mode: 'keyword' });
  await index.close();
  await outcome;
  await expect(asked).resolves.toMatchObject({ mode: 'keyword' });
  const again = await vault.open();
  expect((await again.status()).index.documents).toBeGreaterThanOrEqual(5);
  expect(await again.sync({ embed: false })).toMatchObject({ changed: 0, removed: 0 });
});

test('an index that was closed stays closed, and does not come back to life for a late call', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync({ embed: false });
  const checked = index.check();
  await Promise.all([index.close(), expect(checked).rejects.toMatchObject({ code: 'aborted' })]);
  rmSync(vault.indexPath, { recursive: true });
  const refused = { code: 'usage', message: 'The index is closed.', remedy: 'Open it again.' };
  const calls: readonly (() => unknown)[] = [
    index.sync,
    () => index.sync({ dryRun: true }),
    () => index.search('lantern', { mode: 'keyword' }),
    () => index.searchWithHypothesis('lantern'),
    () => index.read('1.md'),
    () => index.related('1.md'),
    index.list,
    index.tags,
    index.graph,
    index.audit,
    index.map,
    index.collections,
    index.status,
    index.check,
    () => index.watch({ onChange() {} }),
  ];
  for (const call of calls) await expect((async () => call())()).rejects.toMatchObject(refused);
  await index.close();
  expect(existsSync(vault.indexPath)).toBe(false);
});

test('closing during embedding does the same', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  const stopped = index.sync({ onProgress: ({ phase }) => phase === 'embed' && void closeSoon() });
  async function closeSoon() {
    await sleep(1);
    await index.close();
  }
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
});

test('a sync that is stopped while it embeds rejects with the reason of the signal', async () => {
  const index = await createVault(NOTES).open();
  const stop = new AbortController();
  const reason = new Error('Enough.');
  const onProgress = ({ phase }: SyncProgress) =>
    phase === 'embed' && void setImmediate(() => stop.abort(reason));
  expect(await index.sync({ signal: stop.signal, onProgress }).catch((error) => error)).toBe(reason);
});

test('asking an index that is not there writes nothing and says so', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  const { index: facts, bytes } = await index.status();
  expect({ ...facts, bytes }).toMatchObject({ documents: 0, bytes: 0 });
  expect((await index.search('lantern', { mode: 'keyword' })).notice).toContain('docfuse index makes it');
  expect(await index.sync({ dryRun: true })).toMatchObject({ added: 40 });
  expect(existsSync(vault.indexPath)).toBe(false);
  await index.sync({ embed: false });
  expect((await index.search('lantern 7', { mode: 'keyword' })).hits).not.toEqual([]);
});

test('where the index would be a file, every call says so, and leaves the file alone', async () => {
  const vault = createVault(NOTES);
  writeFileSync(vault.indexPath, 'mine');
  const index = await vault.open();
  const { list, tags, graph, map, audit, collections, status, sync } = index;
  for (const call of [
    () => index.search('lantern'),
    () => index.searchWithHypothesis('lantern'),
    () => index.read('1.md'),
    () => index.related('1.md'),
    ...[list, tags, graph, map, audit, collections, status, sync],
  ])
    await expect(call()).rejects.toMatchObject({
      code: 'storage',
      message: `${vault.indexPath} is not a folder, but the index belongs there.`,
    });
  expect(readFileSync(vault.indexPath, 'utf8')).toBe('mine');
});

test.runIf(existsSync('/proc'))(
  'an index where no folder can be made fails with a sentence (only with /proc)',
  async () => {
    const vault = createVault({ 'a.md': 'A' });
    await using index = await open({ roots: [vault.folder], indexPath: '/proc/nowhere/index' });
    await expect(index.sync({ embed: false })).rejects.toMatchObject({ code: 'storage' });
  },
);

test('an index that is deleted while vectors are made is made again, and nothing fails on the way', async () => {
  const vault = createVault(NOTES);
  const failures: unknown[] = [];
  const fresh = keepFresh(await vault.open(), { onFailure: (error) => failures.push(error), everyMs: 100 });
  onTestFinished(() => fresh.close());
  const late = { timeout: 25_000, interval: 1 };
  await vi.waitFor(() => expect(fresh.activity().state).toBe('embedding'), late);
  rmSync(vault.indexPath, { recursive: true });
  await fresh.search('lantern', { mode: 'keyword' });
  await vi.waitFor(async () => {
    expect((await fresh.status()).index).toMatchObject({ documents: 40, stale: false });
  }, late);
  await vi.waitFor(() => expect(fresh.activity().state).toBe('idle'), late);
  expect(failures).toEqual([]);
});
