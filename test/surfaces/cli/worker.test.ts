/** The command `docfuse worker`, beside `docfuse index` on one database. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { unpackVector } from '../../../src/core/indexes/packed-vector.ts';
import { placeOfIndex } from '../../../src/engine/open.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { openTurnProxy } from '../../support/postgres/turn-proxy.ts';
import { BIN, createPlayground, execute } from './docfuse.ts';

const pglite = await openPglite();
const proxy = await openTurnProxy(pglite.url);
const client = new pg.Client({ connectionString: proxy.url, password: 'none' });
await client.connect();
const playground = createPlayground(
  Object.fromEntries(
    Array.from({ length: 600 }, (_, page) => [
      `docs/${page}.md`,
      `# Page ${page}\n\n${`word${page} and what it means `.repeat(20)}\n`,
    ]),
  ),
);
afterAll(async () => {
  playground[Symbol.dispose]();
  await client.end();
  proxy.close();
  await pglite.close();
});
const PASSWORD = 'secret-of-tests';
const env = { ...playground.env, PGPASSWORD: PASSWORD, DOCFUSE_POSTGRES_CONNECTIONS: '1' };
const database = `${proxy.url}?name=docfuse`;

function startWorker(...args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [BIN, 'worker', '--index', database, ...args], {
    cwd: playground.folder,
    env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr!.on('data', (text) => (said += text));
  child.stdout!.on('data', (text) => (said += text));
  const ended = once(child, 'exit');
  return { child, said: () => said, ended };
}

function vectorsIn(index: string): ReadonlyMap<number, Float32Array> {
  const store = placeOfIndex(join(playground.folder, index)).open();
  const vectors = new Map(
    Array.from(store.vectors(store.getState('model')!), ({ slot, packed }) => [slot, unpackVector(packed)]),
  );
  store.close();
  return vectors;
}

test('indexes get the vectors that they would have made alone, while a worker is killed and another is stopped', async () => {
  const alone = await playground.run(['index', 'docs', '--index', 'alone']);
  expect(alone).toMatchObject({ code: 0 });
  const workers = [startWorker('--log-format', 'json'), startWorker()] as const;
  for (const worker of workers)
    await expect.poll(worker.said, { timeout: 20_000 }).toContain('There is no table of passages yet');
  const shared = { DOCFUSE_POSTGRES_URL: proxy.url, DOCFUSE_POSTGRES_WORKERS: 'true' };
  const indexing = ['one', 'two'].map((name) =>
    playground.run(['index', 'docs', '--index', name], {
      env: { ...env, ...shared, DOCFUSE_POSTGRES_NAME: name },
    }),
  );
  const embedded = async () => {
    const asked = 'SELECT count(*)::int AS made FROM docfuse.jobs WHERE vector IS NOT NULL';
    const { rows } = await client.query(asked).catch(() => ({ rows: [] }));
    return rows[0]?.made ?? 0;
  };
  await expect.poll(embedded, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
  workers[0].child.kill('SIGKILL');
  const [first, second] = workers[0]
    .said()
    .split('\n', 2)
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ level: 'info', event: 'note' });
  expect(first.message).toContain('Embedding for postgres://');
  expect(second).toMatchObject({ level: 'warning', event: 'warning' });
  for (const report of await Promise.all(indexing)) {
    expect(report).toMatchObject({ code: 0 });
    expect(report.stderr).not.toContain('without embedding workers');
  }
  const made = vectorsIn('alone');
  expect(made.size).toBe(600);
  for (const name of ['one', 'two']) expect(vectorsIn(name)).toEqual(made);
  workers[1].child.kill('SIGTERM');
  expect(await workers[1].ended).toEqual([0, null]);
  expect(workers[1].said()).toMatch(
    /^Embedding for postgres:\/\/127\.0\.0\.1:\d+\/postgres with overlap-embedder@/,
  );
  expect(workers[1].said()).toMatch(/\nEmbedded [\d,]+ passages in all\.\n$/);
  expect(workers[1].said()).not.toMatch(/\nEmbedded 0 passages/);
  expect(workers[1].said()).not.toContain(PASSWORD);
}, 120_000);

test('with --once, a worker ends when nothing waits', async () => {
  const { ended, said } = startWorker('--once', '--quiet');
  expect(await ended).toEqual([0, null]);
  expect(said()).toBe('');
}, 60_000);

test.each([
  ['without a database', [], 'no database is named', 'docfuse worker --index postgres://'],
  [
    'with Qdrant',
    ['--index', 'qdrant://127.0.0.1:6333/notes'],
    'qdrant://127.0.0.1:6333/notes is not there',
    'postgres://',
  ],
  [
    'with a password in the address',
    ['--index', 'postgres://me:hidden@127.0.0.1/db'],
    'holds a password',
    'postgres.password_env',
  ],
  ['with --json', ['--json'], 'takes no --json', 'Leave --json out'],
  ['with folders', ['docs'], 'Too many arguments', 'worker --help'],
])('%s, it says what to do', async (_, args, said, remedy) => {
  const { code, stderr } = await playground.run(['worker', ...args]);
  expect(code).toBeGreaterThan(0);
  expect(stderr.replace(/\s+/g, ' ')).toContain(said);
  expect(stderr.replace(/\s+/g, ' ')).toContain(remedy);
  expect(stderr).not.toContain('hidden');
});

test('a database that an untrusted file names is not used', async () => {
  playground.write({ 'clone/docfuse.toml': `[postgres]\nurl = "${proxy.url}"\n` });
  const cwd = join(playground.folder, 'clone');
  const { code, stderr } = await execute([BIN, 'worker', '--once'], { cwd, env });
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toMatch(
    /is not trusted, so docfuse ignores postgres\.url.*To use these settings/,
  );
});
