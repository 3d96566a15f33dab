/** Many files, large ones, and file times that no clock gives. */
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Index } from '../../src/engine/api.ts';
import { createVault } from './vault.ts';

const MAX_BYTES = 10 * 1024 * 1024;

const found = async (index: Index, query: string) =>
  (await index.search(query, { mode: 'keyword', minConfidence: 0 })).hits.map(({ path }) => path);

/** Processor time of this thread between two turns of the event loop, in milliseconds. */
async function piecesOf(work: () => Promise<void>): Promise<number[]> {
  const pieces: number[] = [];
  const spent = () =>
    Object.values(process.threadCpuUsage()).reduce((sum, microseconds) => sum + microseconds) / 1000;
  let before = spent();
  let watching: NodeJS.Immediate;
  const look = () => {
    const now = spent();
    pieces.push(now - before);
    before = now;
    watching = setImmediate(look);
  };
  look();
  await work();
  clearImmediate(watching!);
  return pieces;
}

test('two thousand tiny files are indexed, left alone, and forgotten', async () => {
  const name = (n: number) => `${n % 7}/${n % 11}/${n}.md`;
  const vault = createVault(
    Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [name(n), `tiny${n}x\n`])),
  );
  const index = await vault.open();
  expect(await index.sync({ embed: false })).toMatchObject({ added: 2000, skipped: [], warnings: [] });
  expect(await index.sync({ embed: false })).toMatchObject({ added: 0, changed: 0, unchanged: 2000 });
  expect(await found(index, 'tiny1234x')).toEqual([name(1234)]);
  for (let n = 0; n < 2000; n += 2) vault.remove(name(n));
  expect(await index.sync({ embed: false })).toMatchObject({ removed: 1000, unchanged: 1000 });
  expect(await found(index, 'tiny1234x')).toEqual([]);
  expect(await found(index, 'tiny1233x')).toEqual([name(1233)]);
}, 120_000);

test('a file of 10 MiB is read to its last line; one byte more, and it is counted as left out', async () => {
  const line = `${'The quick brown fox jumps over the lazy dog and writes it down. '.repeat(3)}\n\n`;
  const lines = Math.floor((MAX_BYTES - 200) / line.length);
  const text = `${line.repeat(lines)}The last word is xylophone.\n`;
  const vault = createVault({ 'small.md': '# Small\n', 'large.md': text.padEnd(MAX_BYTES, ' ') });
  const index = await vault.open();
  const pieces = await piecesOf(async () => {
    expect(await index.sync({ embed: false })).toMatchObject({ added: 2, skipped: [] });
  });
  // Searches are answered in between: some tenth of a second at most, where all of it takes several.
  const longest = pieces.reduce((most, piece) => Math.max(most, piece));
  expect(longest).toBeLessThan(pieces.reduce((sum, piece) => sum + piece) / 3);
  const { hits } = await index.search('xylophone', { mode: 'keyword', minConfidence: 0 });
  expect(hits).toMatchObject([{ path: 'large.md', endLine: 2 * lines + 1 }]);
  vault.write('large.md', text.padEnd(MAX_BYTES + 1, ' '));
  const after = await index.sync({ embed: false });
  expect(after).toMatchObject({ removed: 1, skipped: [{ path: 'notes/large.md', reason: 'too_large' }] });
  expect(await found(index, 'xylophone')).toEqual([]);
}, 120_000);

test('a large file that is stopped half-way leaves what it was, and the next run takes it in', async () => {
  const long = (word: string) => `# Long\n\n${`Plain words of a story about ${word}.\n\n`.repeat(40_000)}`;
  const vault = createVault({ 'long.md': long('alpacas') });
  const index = await vault.open();
  await index.sync({ embed: false });
  vault.write('long.md', long('llamas'));
  const stop = new AbortController();
  const syncing = index.sync({ embed: false, signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 100); // while it is read, which takes some tenths of a second
  await expect(syncing).rejects.toThrow('enough');
  expect([await found(index, 'alpacas'), await found(index, 'llamas')]).toEqual([['long.md'], []]);
  expect(await index.sync({ embed: false })).toMatchObject({ changed: 1 });
  expect([await found(index, 'alpacas'), await found(index, 'llamas')]).toEqual([[], ['long.md']]);
}, 60_000);

test('a change counts whatever the clock says, also where size and time are those of before', async () => {
  const vault = createVault({ 'note.md': '# Note\n\nApricot.\n' });
  const index = await vault.open();
  const write = (text: string, time: number) => {
    writeFileSync(join(vault.folder, 'note.md'), `# Note\n\n${text}.\n`);
    utimesSync(join(vault.folder, 'note.md'), time, time);
  };
  write('Apricot', 2_000_000_000);
  await index.sync({ embed: false });
  // Set back by years, into the time before 1970, far ahead: another time is another time.
  for (const [text, time] of [
    ['Blueberry', 1_000_000_000],
    ['Cranberry', -86_400],
    ['Damsonnn', 4_102_444_800],
  ] as const) {
    write(text, time);
    expect(await index.sync({ embed: false })).toMatchObject({ changed: 1 });
    expect(await found(index, text)).toEqual(['note.md']);
  }
  write('Elderberry', 4_102_444_800);
  expect(await index.sync({ embed: false })).toMatchObject({ changed: 1 });
  write('Gooseberry', 4_102_444_800);
  expect(await index.sync({ embed: false })).toMatchObject({ changed: 1 });
  expect(await found(index, 'gooseberry')).toEqual(['note.md']);
});
