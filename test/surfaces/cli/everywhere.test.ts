/** One question to all indexes of this machine. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'notes/keys.md': '# Keys\n\nRotate the zebra keys every month.\n',
  'work/keys.md': '# Locks\n\nThe zebra locks are changed on Mondays.\n',
  'gone/left.md': '# Left\n\nA zebra that went away.\n',
});
beforeAll(async () => {
  for (const folder of ['notes', 'work', 'gone']) {
    expect((await playground.runHere(['index', folder, '--no-embed'])).code).toBe(0);
  }
  rmSync(join(playground.folder, 'gone'), { recursive: true });
});
afterAll(() => playground[Symbol.dispose]());

const everywhere = (...args: string[]) =>
  playground.runHere(['search', 'zebra', '--everywhere', '--mode', 'keyword', ...args]);

test('all indexes answer, also one whose folder is away, with places from here', async () => {
  const { code, stdout, stderr } = await everywhere();
  expect(code).toBe(0);
  for (const place of ['notes/keys.md:3', 'work/keys.md:3', 'gone/left.md:3'])
    expect(stdout).toContain(place);
  expect(stderr).toMatch(/3 indexes, each as last brought up to date/);
});

test('status of a folder that has gone says so, and what is left', async () => {
  const { code, stdout } = await playground.runHere(['status', 'gone']);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/1 document in \S+\/gone \(gone\)\n +search, list/),
  ]);
  expect((await playground.runHere(['status', 'notes'])).stdout).not.toContain('gone');
});

test('the answer in JSON names the index of each hit, the surest first', async () => {
  const { hits, unsure, indexes } = JSON.parse((await everywhere('--json')).stdout);
  const all = [...hits, ...unsure];
  expect([indexes, all.map(({ rank }: { rank: number }) => rank)]).toEqual([3, [1, 2, 3]]);
  expect(all.map(({ index }: { index: string }) => index.split('-')[0]).sort()).toEqual([
    'gone',
    'notes',
    'work',
  ]);
  expect(all[0].file).toMatch(/\.md$/);
  expect(JSON.parse((await everywhere('--json', '-n', '1')).stdout).hits).toHaveLength(1);
});

test('unsure passages are no more than -n either', async () => {
  const query = 'zebra quantum chromodynamics perturbation renormalization hadron';
  const ask = (...args: string[]) =>
    playground.runHere(['search', query, '--everywhere', '--mode', 'keyword', '--json', ...args]);
  for (const [args, shown] of [
    [[], 3],
    [['-n', '2'], 2],
  ] as const) {
    const { hits, unsure } = JSON.parse((await ask(...args)).stdout);
    expect([hits.length, unsure.length]).toEqual([0, shown]);
  }
});

test('a file that two indexes hold is shown once and takes one place', async () => {
  using nested = createPlayground(
    Object.fromEntries(
      ['a', 'in/b', 'in/c', 'in/d', 'in/e'].map((name) => [
        `v/${name}.md`,
        `# ${name}\n\nA zebra of ${name}.\n`,
      ]),
    ),
  );
  for (const folder of ['v', 'v/in']) await nested.runHere(['index', folder, '--no-embed', '--new-index']);
  const { stdout } = await nested.runHere([
    'search',
    'zebra',
    '--everywhere',
    '--mode',
    'keyword',
    '--json',
    '-n',
    '9',
  ]);
  const { hits, unsure, indexes } = JSON.parse(stdout);
  const files = [...hits, ...unsure].map(({ file }: { file: string }) => file);
  expect(indexes).toBe(2);
  expect([files.length, new Set(files).size]).toEqual([5, 5]);
});

test('filters hold, and one index that cannot be read does not keep the others from answering', async () => {
  const { indexes } = JSON.parse((await playground.runHere(['indexes', '--json'])).stdout);
  const work = indexes.find(({ roots }: { roots: string[] }) => roots[0]!.endsWith('/work'));
  writeFileSync(join(work.folder, 'index.sqlite-wal'), '');
  expect((await everywhere('--path', 'keys.md', '--json')).stdout).not.toContain('left.md');
  writeFileSync(
    join(work.folder, 'index.sqlite'),
    'no database at all, but long enough to be looked at as one '.repeat(200),
  );
  const { code, stdout } = await everywhere();
  expect(code).toBe(0);
  expect(stdout).toContain('notes/keys.md');
});

test.each([[['notes']], [['--index', 'elsewhere']]])('%j goes with one index, not with all', async (args) => {
  const { code, stderr } = await everywhere(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining('it takes no paths and no --index')]);
});
