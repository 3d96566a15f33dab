import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { acquireWriteLock } from '../../../src/adapters/store/lock.ts';
import type { DocumentChange, SyncProgress } from '../../../src/engine/api.ts';
import { PACKAGED_MODEL } from '../../../src/engine/config/settings.ts';
import { found, kept } from '../kept.ts';

const NOTES = { 'a.md': '# Lanterns\n\nA lantern needs oil.\n', 'b.md': '# Cellars\n\nCellars are cool.\n' };

test('fills the index at once and sees a file written just before `sync()`', async () => {
  const { vault, fresh } = await kept(NOTES);
  await fresh.sync();
  expect(await found(fresh, 'lantern')).toEqual(['a.md']);
  for (const word of ['quince', 'medlar', 'sorrel']) {
    await sleep(300);
    vault.write('c.md', `# Fruit\n\nThe ${word} is ripe.\n`);
    await fresh.sync({ embed: false });
    expect(await found(fresh, word)).toEqual(['c.md']);
  }
});

test.each([{ poll: true, everyMs: 20 }, {}])(
  'looks without being asked, and tells which documents changed: %j',
  async (how) => {
    const changes: DocumentChange[] = [];
    const { vault, fresh } = await kept(NOTES, {
      ...how,
      onChanges: (some) => changes.push(...some),
    });
    await fresh.sync();
    expect(changes.map(({ change }) => change)).toEqual(['added', 'added']);
    changes.length = 0;
    vault.write('a.md', '# Lanterns\n\nA lantern needs a wick.\n');
    vault.remove('b.md');
    await expect.poll(() => changes.length).toBe(2);
    expect(changes).toEqual([
      { document: expect.stringMatching(/\/a\.md$/), change: 'changed' },
      { document: expect.stringMatching(/\/b\.md$/), change: 'removed' },
    ]);
  },
);

test('a report names what an earlier reading skipped, also when only other files were read since', async () => {
  const { vault, fresh } = await kept(NOTES);
  writeFileSync(join(vault.folder, 'picture.md'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]));
  const skipped = [{ path: 'notes/picture.md', reason: 'binary' }];
  await expect
    .poll(async () => (await fresh.sync({ embed: false })).skipped, { timeout: 10_000 })
    .toMatchObject(skipped);
  for (const word of ['quince', 'medlar']) {
    vault.write('c.md', `# Fruit\n\nThe ${word} is ripe.\n`);
    expect(await fresh.sync({ embed: false })).toMatchObject({ skipped });
  }
  vault.remove('picture.md');
  expect(await fresh.sync({ embed: false })).toMatchObject({ skipped: [] });
});

test('tells once that the index is ready: files are read, and passages have their vectors', async () => {
  const told: boolean[] = [];
  const { vault, fresh } = await kept(NOTES, {
    onReady: async () => told.push((await fresh.status()).index.stale),
  });
  await expect.poll(() => told, { timeout: 30_000 }).toEqual([false]);
  vault.write('c.md', '# Fruit\n\nThe quince is ripe.\n');
  await fresh.sync();
  expect(told).toEqual([false]);
});

test('a caller that gives up waiting gets its own reason, and nobody else notices', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`${n}.md`, `# Note ${n}\n\nText.\n`]),
  );
  const { fresh } = await kept(many);
  const reason = new Error('Enough.');
  const patient = fresh.sync({ embed: false });
  await expect(fresh.sync({ signal: AbortSignal.timeout(1) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  const giveUp = new AbortController();
  setTimeout(() => giveUp.abort(reason), 5);
  await expect(fresh.sync({ signal: giveUp.signal })).rejects.toBe(reason);
  const { added, unchanged } = await patient;
  expect(added + unchanged).toBe(200);
});

test('a hundred callers share one sync', async () => {
  const { fresh, calls } = await kept(NOTES, { everyMs: 60_000 });
  await fresh.sync();
  const before = calls.length;
  const reports = await Promise.all(Array.from({ length: 100 }, () => fresh.sync()));
  expect(calls.length - before).toBeLessThanOrEqual(1);
  expect(new Set(reports.map(({ unchanged, added }) => unchanged + added))).toEqual(new Set([2]));
});

test('searches go on during a sync, and who waits too long is told that the index is busy', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 800 }, (_, number) => [
      `${number}.md`,
      `# Note ${number}\n\n${`Lantern ${number}. `.repeat(40)}\n`,
    ]),
  );
  // The small model would be done too soon.
  const { fresh } = await kept(many, { patienceMs: 1_500 }, PACKAGED_MODEL);
  await expect(fresh.sync()).rejects.toMatchObject({ code: 'index_busy' });
  expect(fresh.activity().state).not.toBe('idle');
  // Callers do not wait for vectors that have been made for longer than their patience.
  await expect.poll(() => fresh.activity().state, { timeout: 30_000 }).toBe('embedding');
  await sleep(1_500);
  const began = performance.now();
  await expect(fresh.sync()).rejects.toMatchObject({ code: 'index_busy' });
  expect(performance.now() - began).toBeLessThan(1_400);
  expect((await fresh.search('lantern', { mode: 'keyword' })).hits).not.toHaveLength(0);
});

test('closing stops the sync that is under way', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, number) => [`${number}.md`, `# Note ${number}\n\nLantern ${number}.\n`]),
  );
  const failures: unknown[] = [];
  const { fresh } = await kept(many, { onFailure: (error) => failures.push(error) });
  await sleep(100);
  const began = performance.now();
  await fresh.close();
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(failures).toEqual([]);
});

test('a failure is told, and the next sync is tried all the same', async () => {
  const failures: unknown[] = [];
  const { vault, fresh } = await kept(NOTES, {
    poll: true,
    everyMs: 30,
    onFailure: (error) => failures.push(error),
  });
  await fresh.sync();
  const other = await acquireWriteLock(join(vault.indexPath, 'index.sqlite'));
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  expect(failures[0]).toMatchObject({ code: 'index_busy' });
  other.release();
  await expect.poll(async () => (await fresh.sync()).unchanged).toBe(2);
});

test('a rebuild that is stopped half-way is not taken for whole: the next sync reads the rest', async () => {
  // Four of them are read together.
  const files = Array.from({ length: 6 }, (_, n) => [
    `${n}.md`,
    `# Note ${n}\n\n${`lantern${n}x\n`.repeat(3_000)}`,
  ]);
  const { fresh } = await kept(Object.fromEntries(files));
  await fresh.sync();
  const stop = new AbortController();
  const onProgress = ({ phase, done }: SyncProgress) => {
    if (phase === 'read' && done === 4) stop.abort(new Error('enough'));
  };
  const rebuilding = fresh.sync({ rebuild: true, embed: false, signal: stop.signal, onProgress });
  await expect(rebuilding).rejects.toThrow('enough');
  expect((await fresh.status()).index.documents).toBe(4);
  const { added, unchanged } = await fresh.sync({ embed: false });
  // A late event of the file system can make the watcher read the rest before this sync does.
  expect([
    [2, 4],
    [0, 6],
  ]).toContainEqual([added, unchanged]);
  expect(await found(fresh, 'lantern5x')).toContain('5.md');
});

test('without events, one comparison that finds nothing answers the callers that follow at once', async () => {
  const { vault, fresh, calls } = await kept(NOTES, { poll: true });
  await fresh.sync();
  await fresh.sync({ embed: false });
  const before = calls.length;
  await fresh.sync({ embed: false });
  await fresh.sync({ embed: false });
  expect(calls.length - before).toBeLessThan(2);
  await sleep(250);
  vault.write('c.md', '# Quinces\n\nA quince is hard.\n');
  await fresh.sync({ embed: false });
  expect(await found(fresh, 'quince')).toEqual(['c.md']);
});
