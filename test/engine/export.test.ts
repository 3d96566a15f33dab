/** An export while the index changes, and in place of an earlier one. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { EXPORT_FORMAT } from '../../src/core/fragments/export-format.ts';
import { decodeTexts } from '../../src/core/fragments/text-fragment.ts';
import type { ExportProgress } from '../../src/engine/api.ts';
import { placeOfIndex } from '../../src/engine/open.ts';
import { createVault } from './vault.ts';

const COUNT = 400;
const noteOf = (number: number) => `# Note ${number}\n\n${`Text of ${number}. `.repeat(60)}\n`;

/** Returns the path and the text of each exported passage. */
function passagesIn(site: string): readonly (readonly [path: string, text: string])[] {
  const data = readdirSync(site).find((name) => name.startsWith('data-'))!;
  return readdirSync(join(site, data, 'texts')).flatMap((name) => {
    const bytes = inflateRawSync(readFileSync(join(site, data, 'texts', name)));
    const { documents, passages } = decodeTexts(bytes);
    return passages.map(
      ({ document, text }) => [documents.find(({ number }) => number === document)!.path, text] as const,
    );
  });
}

test('an export shows the index as it was when it began, while another process changes it', async () => {
  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  const vault = createVault(Object.fromEntries(numbers.map((each) => [`${each}.md`, noteOf(each)])));
  const index = await vault.open();
  await index.sync({ embed: false });
  const site = join(vault.folder, '..', 'site');
  const exporting = index.export(site);
  await nextTurn(); // the export has done its first part
  expect(existsSync(site)).toBe(false);
  const store = placeOfIndex(vault.indexPath).open();
  for (const { number, path } of [...store.documents()]) if (path.includes('3')) store.removeDocument(number);
  store.setState({ generation: store.getState('generation')! + 1 });
  store.close();
  expect(await exporting).toMatchObject({ documents: COUNT, mapped: 0 });
  const passages = passagesIn(site);
  expect(new Set(passages.map(([path]) => path)).size).toBe(COUNT);
  for (const [path, text] of passages) {
    expect({ path, text }).toEqual({
      path,
      text: expect.stringContaining(` of ${Number.parseInt(path, 10)}.`),
    });
  }
  const { documents } = await index.export(site);
  expect(documents).toBeLessThan(COUNT);
  expect(new Set(passagesIn(site).map(([path]) => path)).size).toBe(documents);
});

test('an export replaces one of another version, and what a killed export left', async () => {
  const vault = createVault({ 'a.md': '# Apples\n' });
  const index = await vault.open();
  await index.sync({ embed: false });
  const beside = (name: string) => join(vault.folder, '..', name);
  const site = beside('site');
  await index.export(site);
  const start = readFileSync(join(site, 'start.json'), 'utf8');
  writeFileSync(join(site, 'start.json'), start.replace(EXPORT_FORMAT, 'docfuse-export-0'));
  await index.export(site);
  expect(readFileSync(join(site, 'start.json'), 'utf8')).toBe(start);

  // Killed between the two renames; then a failing export puts the earlier one back.
  renameSync(site, beside('.docfuse-former-site'));
  writeFileSync(beside('.docfuse-former-site/CNAME'), 'docs.example');
  await expect(index.export(site)).rejects.toThrow('holds CNAME');
  rmSync(join(site, 'CNAME'));

  // Killed while it wrote. Another export to the same folder may still run.
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const left = (pid: number) => `.docfuse-export-site-${pid}-${randomUUID()}`;
  const running = left(process.pid);
  mkdirSync(beside(`${left(gone)}/data`), { recursive: true });
  mkdirSync(beside(running));
  await index.export(site);
  expect(readdirSync(beside('.')).sort()).toEqual([running, 'index', 'notes', 'site']);
});

test('an export tells its progress, and one that is stopped leaves the former one and nothing else', async () => {
  const numbers = Array.from({ length: 60 }, (_, number) => number);
  const vault = createVault(Object.fromEntries(numbers.map((each) => [`${each}.md`, noteOf(each)])));
  const index = await vault.open();
  await index.sync({ embed: false });
  const site = join(vault.folder, '..', 'site');
  const told: ExportProgress[] = [];
  const { passages } = await index.export(site, { onProgress: (progress) => told.push(progress) });
  expect([...new Set(told.map(({ phase }) => phase))]).toEqual(['map', 'words', 'texts']);
  expect(told.every(({ done, total }) => done <= total)).toBe(true);
  expect(told.at(-1)).toEqual({ phase: 'texts', done: passages, total: passages });
  expect(told.findLast(({ phase }) => phase === 'words')).toMatchObject({ done: expect.any(Number) });
  const beside = join(vault.folder, '..');
  const before = readFileSync(join(site, 'start.json'), 'utf8');
  const stop = new AbortController();
  const onProgress = ({ phase }: ExportProgress) => phase === 'words' && stop.abort(new Error('enough'));
  await expect(index.export(site, { onProgress, signal: stop.signal })).rejects.toThrow('enough');
  expect(readFileSync(join(site, 'start.json'), 'utf8')).toBe(before);
  expect(readdirSync(beside).filter((name) => name.startsWith('.docfuse'))).toEqual([]);
});
