/** A published index says what it cannot do exactly. */
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { open } from '../../src/engine/open.ts';
import { openPglite } from '../support/postgres/open-pglite.ts';
import { SMALL_MODEL } from '../support/small-model.ts';

const pglite = await openPglite();
afterAll(() => pglite.close());
beforeAll(() => void vi.stubEnv('DOCFUSE_TEST_PG_PASSWORD', 'right').stubEnv('PGUSER', 'postgres'));

/** Publishes a document. Returns its index, and a function that opens the publication. @param embed whether with vectors */
async function publishOne(work: string, name: string, embed = true) {
  const docs = join(work, 'docs');
  await mkdir(docs);
  await writeFile(join(docs, 'light.md'), '# Light\n\nThe keeper lights the lantern.\n');
  const settings = {
    postgres: {
      url: pglite.url,
      name,
      connections: 1,
      password_env: 'DOCFUSE_TEST_PG_PASSWORD',
    },
    embedding: { model: SMALL_MODEL },
  };
  const own = await open({ roots: [docs], indexPath: join(work, 'index'), settings });
  await own.sync({ publish: true, embed });
  const address = `${pglite.url.replace('postgres@', '')}?name=${name}`;
  return { own, openPublished: () => open({ indexPath: address, settings }) };
}

test('status, doctor and explained answers say so if a graph finds the vectors, and only then', async () => {
  await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-limits-'));
  const { own, openPublished } = await publishOne(work.path, 'limits');
  await using _ = own;
  const said = async () => {
    await using published = await openPublished();
    const { warnings } = await published.status();
    const { hits, notice } = await published.search('lantern', { explain: true, minConfidence: 0 });
    expect(hits).toHaveLength(1);
    return [
      warnings.map(({ message }) => message).join(' '),
      (await published.check()).find(({ name }) => name === 'abilities')?.detail,
      notice,
    ];
  };
  for (const text of await said()) {
    expect(text).toContain('acronyms are not written out');
    expect(text).not.toContain('graph');
  }
  // More passages than are compared one by one.
  await pglite.db.exec(
    "UPDATE docfuse.publications SET state = jsonb_set(state, '{passages,count}', '60000')",
  );
  for (const text of await said()) expect(text).toContain('found by a graph');
  const { notice } = await own.search('lantern', { explain: true, minConfidence: 0 });
  expect(notice).toBeUndefined();
}, 60_000);

test('answers, status and doctor say how old a replica is that has lost its primary', async () => {
  await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-replica-'));
  const { own, openPublished } = await publishOne(work.path, 'replica');
  await own.close();
  // Functions of a replica, found before the server's own. Nothing is received, so `pg_stat_wal_receiver` is empty, as here.
  await pglite.db.exec(`CREATE SCHEMA lost;
    CREATE FUNCTION lost.pg_is_in_recovery() RETURNS boolean RETURN true;
    CREATE FUNCTION lost.pg_last_xact_replay_timestamp() RETURNS timestamptz RETURN clock_timestamp() - interval '150 s';
    SET search_path = lost, pg_catalog, public`);
  await using published = await openPublished();
  const late = 'shows the state of 2 minutes ago';
  expect((await published.search('lantern')).notice).toContain(late);
  const { index, warnings } = await published.status();
  expect(index.behindSeconds).toBeCloseTo(150, -1);
  expect(warnings.map(({ message }) => message).join()).toContain(late);
  expect(await published.check()).toContainEqual(
    expect.objectContaining({ name: 'replica', state: 'warning', detail: expect.stringContaining(late) }),
  );
  await pglite.db.exec(
    `CREATE OR REPLACE FUNCTION lost.pg_last_xact_replay_timestamp() RETURNS timestamptz RETURN clock_timestamp()`,
  );
  expect((await published.search('lantern')).notice).toBeUndefined();
  // After a restart, the replica knows no time. The publication is then what is known, and it is new.
  const since = (minutes: number) =>
    pglite.db.exec(`CREATE OR REPLACE FUNCTION lost.pg_last_xact_replay_timestamp() RETURNS timestamptz RETURN NULL::timestamptz;
      UPDATE docfuse.publications SET state = jsonb_set(state, '{published}', to_jsonb(now() - interval '${minutes} minutes'))`);
  await since(0);
  expect((await published.search('lantern')).notice).toBeUndefined();
  await since(7);
  expect((await published.search('lantern')).notice).toContain('shows the state of 7 minutes ago');
  await pglite.db.exec('RESET search_path');
  expect((await published.status()).index.behindSeconds).toBeUndefined();
}, 60_000);

test('doctor needs no model for a publication without vectors', async () => {
  await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-words-'));
  const { own, openPublished } = await publishOne(work.path, 'words', false);
  await own.close();
  await using published = await openPublished();
  const model = (await published.check()).find(({ name }) => name === 'model');
  expect(model).toMatchObject({ state: 'ok', detail: expect.stringContaining('searches are by words') });
}, 60_000);
