/** Archives that were made to do harm, or were damaged: each trouble is named, and the rest is read. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createZipSource } from '../../../src/adapters/source/zip-source.ts';
import { randomNumbers } from '../../../src/core/evaluate/statistics.ts';
import { listed } from '../../contracts/source-contract.ts';
import { type MadeEntry, makeZip } from '../../support/make-zip.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const GOOD = { name: 'good.md', data: 'good' };

/** Lists and reads everything of an archive beside which there is a file that it must not touch. */
async function readAll(zip: Uint8Array) {
  const folder = temporaryFolder({ 'sub/notes.zip': zip });
  const source = createZipSource({ root: join(folder, 'sub/notes.zip') });
  const { files, skipped } = await listed(source);
  const texts: Record<string, string> = {};
  const failed: Record<string, string | undefined> = {};
  for (const { path } of files) {
    const read = await source.read(path);
    if ('text' in read) texts[path] = read.text;
    else failed[path] = read.detail;
  }
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(['sub', join('sub', 'notes.zip')]);
  return { texts, failed, skipped };
}

it.each(['../up.md', 'a/../../up.md', '/etc/up.md', 'C:/up.md', 'C:\\up.md', '..\\up.md', 'nul\0.md'])(
  'a name that leads outside is left out: %j',
  async (name) => {
    const { texts, skipped } = await readAll(makeZip([{ name, data: 'evil' }, GOOD]));
    expect(texts).toEqual({ 'good.md': 'good' });
    expect(skipped).toMatchObject([{ reason: 'outside_root', detail: 'its name leads outside the archive' }]);
  },
);

const BOMB = 'x'.repeat(9 * 1024 * 1024);
const isDamaged = expect.stringMatching(/^its contents are damaged/);
const DAMAGED: Readonly<Record<string, readonly [MadeEntry, unknown]>> = {
  'a wrong checksum': [{ name: 'bad.md', data: 'bad', crc: 1 }, isDamaged],
  'a wrong checksum of stored contents': [{ name: 'bad.md', data: 'bad', method: 0, crc: 1 }, isDamaged],
  'more contents than the directory says': [
    { name: 'bad.md', data: BOMB, size: 10 },
    expect.stringContaining('larger than 10 bytes'),
  ],
  'less contents than the directory says': [{ name: 'bad.md', data: 'bad', size: 99 }, isDamaged],
  'another size where it is stored': [{ name: 'bad.md', data: 'bad', method: 0, size: 2 }, isDamaged],
};

it.each(Object.entries(DAMAGED))('%s is damage', async (_, [entry, detail]) => {
  const { texts, failed } = await readAll(makeZip([entry, GOOD]));
  expect(failed).toEqual({ 'bad.md': detail });
  expect(texts).toEqual({ 'good.md': 'good' });
});

it('contents that are no deflated data, and those that end too early, are damage', async () => {
  const zip = makeZip([{ name: 'bad.md', data: 'not deflated', method: 0 }, GOOD]);
  for (const at of [8, zip.indexOf('PK\x01\x02', 0, 'latin1') + 10]) zip[at] = 8;
  expect((await readAll(zip)).failed).toEqual({ 'bad.md': isDamaged });
});

it.each([
  [{ flags: 1 }, 'it is encrypted'],
  [{ mode: 0o120777 }, 'it is a symbolic link, and links in archives are not followed'],
  [{ method: 12 }, 'its compression method 12 is unknown'],
] as const)('an entry with %j is left out', async (given, detail) => {
  const { texts, skipped } = await readAll(
    makeZip([{ name: 'bad.md', data: '/etc/passwd', ...given }, GOOD]),
  );
  expect(skipped).toEqual([{ path: 'bad.md', reason: 'unreadable', detail }]);
  expect(texts).toEqual({ 'good.md': 'good' });
});

it('a bomb is cut off: one document of 27 MB, and 20 of 9 MB that are 9 kB each', async () => {
  const large = await readAll(makeZip([{ name: 'bad.md', data: BOMB + BOMB + BOMB }, GOOD]));
  expect(large.skipped).toMatchObject([{ path: 'bad.md', reason: 'too_large' }]);
  expect(large.texts).toEqual({ 'good.md': 'good' });
  const entries = Array.from({ length: 20 }, (_, n) => ({
    name: `${String(n).padStart(2, '0')}.md`,
    data: BOMB,
  }));
  const root = join(temporaryFolder({ 'many.zip': makeZip(entries) }), 'many.zip');
  const { files, skipped } = await listed(createZipSource({ root }));
  expect(files).toHaveLength(11);
  expect(skipped).toEqual([
    { path: '11.md', reason: 'too_large', detail: expect.stringContaining('104857600') },
  ]);
});

it('an archive inside a Notion export is not unpacked if it is larger than it says, or very large', async () => {
  const name = 'Export-0f1e2d3c-Part-1.zip';
  const lying = await readAll(makeZip([{ name, data: BOMB, size: 100 }, GOOD]));
  expect(lying.skipped).toMatchObject([{ path: name, reason: 'unreadable', detail: isDamaged }]);
  const huge = await readAll(makeZip([{ name, data: 'x', size: 0xfffffff0 }, GOOD]));
  expect(huge.skipped).toMatchObject([{ path: name, reason: 'too_large' }]);
  expect([lying.texts, huge.texts]).toEqual([{ 'good.md': 'good' }, { 'good.md': 'good' }]);
});

it('100,000 entries are listed', { timeout: 60_000 }, async () => {
  const entries = Array.from({ length: 100_000 }, (_, n) => ({
    name: `${n % 99}/${n}.md`,
    data: `${n}`,
    method: 0,
  }));
  const source = createZipSource({
    root: join(temporaryFolder({ 'a.zip': makeZip(entries, { zip64: true }) }), 'a.zip'),
  });
  const { files, skipped } = await listed(source);
  expect([files.length, skipped.length]).toEqual([100_000, 0]);
  expect(await source.read('0/99.md')).toMatchObject({ text: '99' });
});

it('a directory that names more entries than there are, or more than a million, is an error', async () => {
  for (const [count, message] of [
    [2, 'signature'],
    [2_000_000, 'more than 1000000 entries'],
  ] as const) {
    const zip = makeZip([GOOD], { zip64: true });
    zip.writeUInt32LE(count, zip.indexOf('PK\x06\x06', 0, 'latin1') + 32);
    await expect(readAll(zip)).rejects.toMatchObject({
      ...{ code: 'not_found', message: expect.stringContaining(message) },
    });
  }
});

it('names with more folders than any archive needs are an error', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `${n}/${'a/'.repeat(30_000)}x.md`);
  const reading = readAll(makeZip(names.map((name) => ({ name }))));
  await expect(reading).rejects.toMatchObject({
    message: expect.stringContaining('more than 200000 folders'),
  });
});

it('an ignore file whose name leads outside decides nothing', async () => {
  const { texts } = await readAll(makeZip([{ name: '/.gitignore', data: '*.md' }, GOOD]));
  expect(texts).toEqual({ 'good.md': 'good' });
});

it('random damage never gives a wrong text, nor another error than that there is no archive', async () => {
  const entries = ['a.md', 'b/c.md', 'd.md'].map((name) => ({
    name,
    data: `# ${name}\n${'text '.repeat(50)}`,
  }));
  const random = randomNumbers(7);
  const part = { name: 'Export-0f1e2d3c-Part-1.zip', data: makeZip(entries), method: 0 };
  const honest = makeZip([part, ...entries]);
  const folder = temporaryFolder();
  const root = join(folder, 'a.zip');
  for (let run = 0; run < 400; run++) {
    const zip = Buffer.from(honest);
    for (let n = 0; n < 1 + (run % 4); n++)
      zip[Math.floor(random() * zip.length)] = Math.floor(random() * 256);
    writeFileSync(root, run % 5 === 0 ? zip.subarray(0, Math.floor(random() * zip.length)) : zip);
    const source = createZipSource({ root });
    const { files } = await listed(source).catch((error) => {
      expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('ZIP archive') });
      return { files: [] };
    });
    for (const { path } of files) {
      const read = await source.read(path);
      if ('text' in read) expect(entries.map(({ data }) => data)).toContain(read.text);
    }
  }
});
