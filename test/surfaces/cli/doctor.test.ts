import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'docs/a.md': '# Alpha\n\nSee [b](b.md).\n',
  'docs/b.md': '# Beta\n\nText.\n',
});
afterAll(() => playground[Symbol.dispose]());

async function doctor(...args: string[]) {
  const { code, stdout } = await playground.run(['doctor', 'docs', '--json', ...args]);
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
  await playground.run(['index', 'docs', '--no-embed']);
  expect((await doctor()).of('vectors')).toMatchObject({
    state: 'warning',
    detail: '0 of 2 passages have a vector.',
  });
  await playground.run(['index', 'docs']);
  const { code, checks } = await doctor();
  expect(code).toBe(0);
  expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual(
    [
      ...['config', 'node', 'folders', 'permissions', 'database', 'lock', 'segments', 'leftovers'],
      ...['model', 'vectors', 'query'],
    ].map((name) => `${name} ok`),
  );
  const { stdout } = await playground.run(['doctor', 'docs']);
  expect(stdout).toMatch(/^ok {7}database {5}.*is whole: 2 documents, 2 passages\.$/m);
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
