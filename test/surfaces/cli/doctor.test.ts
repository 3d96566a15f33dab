import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canRunAsNobody, NOBODY, nobodyNote } from '../../support/nobody.ts';
import { createPlayground } from './docfuse.ts';
import type { Outcome } from './execute-here.ts';

const playground = createPlayground({
  'docs/a.md': '# Alpha\n\nSee [b](b.md).\n',
  'docs/b.md': '# Beta\n\nText.\n',
});
afterAll(() => playground[Symbol.dispose]());

const doctor = async (...args: string[]) =>
  parse(await playground.runHere(['doctor', 'docs', '--json', ...args]));

function parse({ code, stdout }: Outcome) {
  const { healthy, checks } = JSON.parse(stdout) as {
    healthy: boolean;
    checks: { name: string; state: string; detail: string; remedy?: string }[];
  };
  return { code, healthy, checks, of: (name: string) => checks.find((check) => check.name === name) };
}

const indexFile = () =>
  globSync('.data/docfuse/indexes/*/index.sqlite', { cwd: playground.folder }).map((path) =>
    join(playground.folder, path),
  )[0]!;

test('an index that is not there, then without vectors, then whole', async () => {
  const before = await doctor();
  expect([before.code, before.healthy]).toEqual([0, true]);
  expect(before.of('database')).toMatchObject({
    state: 'warning',
    remedy: expect.stringContaining('docfuse index'),
  });
  await playground.runHere(['index', 'docs', '--no-embed']);
  expect((await doctor()).of('vectors')).toMatchObject({
    state: 'warning',
    detail: '0 of 2 passages have a vector.',
  });
  await playground.runHere(['index', 'docs']);
  const { code, checks } = await doctor();
  expect(code).toBe(0);
  expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual(
    [
      ...['config', 'node', 'folders', 'permissions', 'database', 'files', 'lock', 'segments'],
      ...['leftovers', 'model', 'languages', 'vectors', 'query'],
    ].map((name) => `${name} ok`),
  );
  const { stdout } = await playground.runHere(['doctor', 'docs']);
  expect(stdout).toMatch(/^ok {7}database {5}.*is undamaged \(documents: 2, passages: 2\)\.$/m);
});

test('each fault is a line with its remedy, and ends with 1 where it is a failure', async () => {
  expect(await doctor('--set', 'embedding.model=./nowhere')).toMatchObject({ code: 1, healthy: false });
  const database = new DatabaseSync(indexFile());
  database.exec("PRAGMA foreign_keys = OFF; DELETE FROM documents WHERE path = 'b.md'");
  database.close();
  const broken = await doctor();
  expect(broken.code).toBe(1);
  expect(broken.of('database')).toMatchObject({
    state: 'failure',
    remedy: expect.stringContaining('--rebuild'),
  });
  rmSync(join(playground.folder, 'docs'), { recursive: true });
  expect((await doctor()).of('folders')).toMatchObject({
    state: 'failure',
    detail: expect.stringContaining('docs'),
  });
});

describe.skipIf(!canRunAsNobody)(`rights that are missing${nobodyNote}`, () => {
  const own = createPlayground({ 'docs/a.md': '# Alpha\n', 'above/more/b.md': '# Beta\n' });
  const at = (...path: string[]) => join(own.folder, ...path);
  beforeAll(async () => {
    if (NOBODY.uid) execFileSync('chown', ['-R', String(NOBODY.uid), own.folder]);
    await own.run(['index', 'docs', 'above/more', '--index', 'index'], NOBODY);
  });
  afterAll(() => own[Symbol.dispose]());
  const look = async () =>
    parse(await own.run(['doctor', 'docs', 'above/more', '--index', 'index', '--json'], NOBODY));

  test('to write: an index that is only read from is healthy', async () => {
    for (const file of readdirSync(at('index'))) chmodSync(at('index', file), 0o400);
    chmodSync(at('index'), 0o500);
    const { code, healthy, checks, of } = await look();
    for (const place of ['index', ...readdirSync(at('index')).map((file) => join('index', file))])
      chmodSync(at(place), 0o700);
    expect([code, healthy]).toEqual([0, true]);
    expect(of('permissions')).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/ is read-only: it can be searched, but not brought up to date\.$/),
    });
    expect(of('lock')).toEqual({
      ...{ name: 'lock', state: 'ok' },
      detail: 'The index is read-only here, so nothing is locked.',
    });
    expect(checks.filter(({ state }) => state !== 'ok')).toHaveLength(1);
  });

  test('to read what is missing is not said', async () => {
    const { of } = parse(await own.run(['doctor', 'nope', '--index', 'index', '--json'], NOBODY));
    expect([of('folders')?.state, of('permissions')?.detail]).toEqual([
      'failure',
      'The index can be written.',
    ]);
  });

  test('to read a file: the files of the last run are named, until they can be read', async () => {
    const files = ['c.md', 'd.md', 'e.md', 'f.md'];
    for (const file of files) {
      own.write({ [`docs/${file}`]: '# Locked\n' });
      chmodSync(at('docs', file), 0);
      if (NOBODY.uid) chownSync(at('docs', file), NOBODY.uid, NOBODY.uid);
    }
    own.write({ 'docs/g.md': 'a\0b' });
    const said = async () => {
      await own.run(['index', 'docs', 'above/more', '--index', 'index'], NOBODY);
      return look();
    };
    expect((await said()).of('files')).toEqual({
      ...{ name: 'files', state: 'warning' },
      detail: '4 files cannot be read or converted: docs/c.md, docs/d.md, docs/e.md and 1 more.',
      remedy: expect.stringContaining('docfuse index reads them again'),
    });
    for (const file of files.slice(1)) rmSync(at('docs', file));
    const { code, of } = await said();
    expect([code, of('files')?.detail]).toEqual([0, '1 file cannot be read or converted: docs/c.md.']);
    for (const file of ['c.md', 'g.md']) rmSync(at('docs', file));
    own.write({ 'docs/h.pdf': 'no PDF' });
    expect((await said()).of('files')?.detail).toBe('1 file cannot be read or converted: docs/h.pdf.');
    rmSync(at('docs', 'h.pdf'));
    expect((await said()).of('files')?.state).toBe('ok');
  });

  test.each([
    ['docs', 'docs'],
    ['above', 'above/more'],
  ])('to read %s: the root is named, and what the index holds of it stays', async (locked, root) => {
    chmodSync(at(locked), 0);
    const { code, of } = await look();
    const indexed = await own.run(['index', 'docs', 'above/more', '--index', 'index'], NOBODY);
    chmodSync(at(locked), 0o700);
    expect([code, of('folders')?.state]).toEqual([1, 'ok']);
    expect(of('permissions')).toMatchObject({
      state: 'failure',
      detail: `You have no permission to read ${at(root)}.`,
    });
    expect(indexed.code).toBe(0);
    expect(indexed.stderr).toMatch(/ cannot be read \(EACCES.*Its documents stay in the index\./);
    expect((await look()).of('database')?.detail).toContain('documents: 2');
  });
});

test('a configuration that cannot be read is the first thing said', async () => {
  playground.write({ 'docfuse.toml': '[serach]\n' });
  const { code, checks } = await doctor();
  expect(code).toBe(1);
  expect(checks).toEqual([
    {
      name: 'config',
      state: 'failure',
      detail: expect.stringContaining('docfuse.toml:1'),
      remedy: 'Did you mean search?',
    },
  ]);
});
