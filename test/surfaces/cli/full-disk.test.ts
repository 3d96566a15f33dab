/** A disk that is full or may not be written, made of memory; only the superuser may mount one. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statfsSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { mountDisk, remount } from '../../support/disks.ts';
import { canRunAsNobody, NOBODY, nobodyNote } from '../../support/nobody.ts';
import { BIN, createPlayground } from './docfuse.ts';

const WORDS = 'amber beacon cedar dune ember fjord grove harbour inlet jetty kelp lagoon'.split(' ');
const NOTES = Object.fromEntries(
  Array.from({ length: 40 }, (_, note) => [
    `docs/${note}.md`,
    `# ${WORDS[note % WORDS.length]} ${note}\n\n${Array.from({ length: 60 }, (_, at) => WORDS[(note * at) % 11]).join(' ')}.\n`,
  ]),
);

const playground = createPlayground(NOTES);
afterAll(() => playground[Symbol.dispose]());

const search = async (index: string, args: readonly string[] = [], user?: typeof NOBODY) => {
  const typed = [
    'search',
    'harbour lagoon',
    'docs',
    '--index',
    index,
    '--json',
    '--min-confidence',
    '0',
    ...args,
  ];
  const { code, stdout, stderr } = await (user ? playground.run(typed, user) : playground.runHere(typed));
  expect([code, stderr]).toEqual([0, '']);
  const { hits, notice } = JSON.parse(stdout) as { hits: { path: string; score: number }[]; notice?: string };
  return { hits: hits.map(({ path, score }) => [path, score]), notice };
};

test('a full disk is named, what was indexed is found, and the rest follows when there is room', async (context) => {
  const disk = mountDisk('1200k', context);
  const index = join(disk, 'index');
  const full = await playground.runHere(['index', 'docs', '--index', index, '--quiet']);
  expect([full.code, full.stdout]).toEqual([1, '']);
  expect(full.stderr).toMatch(/^error: The disk that holds the index \S+ is full\.\nFree some space .*\n$/);
  const { hits, notice } = await search(index);
  expect(hits.length).toBeGreaterThan(0);
  expect(notice).toMatch(
    /^The disk that holds the index \S+ is full\. This answer is from what the index contains\./,
  );
  remount(disk, 'size=64m');
  expect((await playground.runHere(['index', 'docs', '--index', index])).code).toBe(0);
  const undisturbed = join(playground.folder, 'undisturbed');
  expect((await playground.runHere(['index', 'docs', '--index', undisturbed])).code).toBe(0);
  expect(await search(index)).toEqual(await search(undisturbed));
}, 120_000);

test('a rebuild that finds no room says so and leaves an index that answers; with room it ends', async (context) => {
  const disk = mountDisk('16m', context);
  const index = join(disk, 'index');
  const of = (...args: string[]) => playground.runHere([...args, 'docs', '--index', index, '--quiet']);
  expect((await of('index')).code).toBe(0);
  const before = await search(index);
  const { bsize, blocks, bfree } = statfsSync(disk);
  const used = Math.ceil(((blocks - bfree) * bsize) / 1024);
  let refused = 0;
  for (let spare = 64; spare < 16_384; spare *= 4) {
    remount(disk, `size=${used + spare}k`);
    const { code, stderr } = await of('index', '--rebuild', '--no-embed');
    if (code === 0) break;
    refused++;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: .*(disk|written).*\n.*(space|room).*\n$/),
    ]);
    expect((await search(index, ['--mode', 'keyword', '--no-sync'])).hits.length).toBeGreaterThan(0);
  }
  expect(refused).toBeGreaterThan(1);
  remount(disk, 'size=64m');
  expect((await of('index', '--rebuild')).code).toBe(0);
  expect(await search(index)).toEqual(before);
}, 120_000);

describe('an index that may not be written', () => {
  const index = join(playground.folder, 'shared');

  test('is made', async () => {
    expect((await playground.runHere(['index', 'docs', '--index', index])).code).toBe(0);
  });

  test.skipIf(!canRunAsNobody)(
    `answers others, who leave no trace and are told${nobodyNote}`,
    async () => {
      for (const file of readdirSync(index)) chmodSync(join(index, file), 0o444);
      chmodSync(index, 0o555);
      chmodSync(playground.folder, 0o755);
      onTestFinished(() => chmodSync(index, 0o700));
      const before = readdirSync(index);
      const { hits, notice } = await search(index, ['-n', '3', '--mode', 'keyword'], NOBODY);
      expect(hits).toHaveLength(3);
      expect(notice).toMatch(
        /^The index \S+ cannot be opened or written .* This answer is from what the index contains\.$/,
      );
      expect((await search(index, ['--no-sync', '--mode', 'keyword'], NOBODY)).notice).toBeUndefined();
      for (const args of [['status'], ['related', 'docs/1.md']]) {
        const { code } = await playground.run([...args, 'docs', '--index', index], NOBODY);
        expect([args, code]).toEqual([args, 0]);
      }
      const refused = await playground.run(['index', 'docs', '--index', index, '--quiet'], NOBODY);
      expect([refused.code, refused.stderr.split('\n').length]).toEqual([1, 3]);
      expect(readdirSync(index)).toEqual(before);
    },
    120_000,
  );

  test('nor its documents, on a medium that is read only', async (context) => {
    const disk = mountDisk('16m', context);
    cpSync(join(playground.folder, 'docs'), join(disk, 'docs'), { recursive: true });
    const held = join(disk, 'index');
    const of = (...args: string[]) => playground.runHere([...args, join(disk, 'docs'), '--index', held]);
    expect((await of('index')).code).toBe(0);
    remount(disk, 'ro');
    expect((await of('search', 'harbour lagoon', '--quiet')).code).toBe(0);
    expect((await of('index', '--quiet')).stderr).toMatch(
      /^error: The index \S+ cannot be opened or written \(EROFS/,
    );
    // The documents may be read only, too: the index lies elsewhere.
    const elsewhere = join(playground.folder, 'elsewhere');
    mkdirSync(elsewhere);
    const indexed = await playground.runHere([
      'index',
      join(disk, 'docs'),
      '--index',
      elsewhere,
      '--no-embed',
    ]);
    expect(indexed).toMatchObject({ code: 0, stdout: expect.stringContaining('40 added') });
    expect(existsSync(join(elsewhere, 'index.sqlite'))).toBe(true);
  }, 120_000);
});

test.runIf(existsSync('/dev/full'))(
  'an answer that finds no room on stdout is a failure with a sentence (only with /dev/full)',
  () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'search', 'harbour', 'docs', '--json'], {
      ...{ cwd: playground.folder, env: playground.env, encoding: 'utf8' },
      stdio: ['ignore', full, 'pipe'],
    });
    expect(status).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'storage', detail: expect.stringContaining('ENOSPC') });
  },
);
