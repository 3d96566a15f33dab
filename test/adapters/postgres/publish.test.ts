import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { publishContract } from '../../contracts/publish-contract.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource, openRetrieval } from '../../support/published/publish-memory.ts';
import { unpublishPostgres } from '../../support/published/unpublish.ts';

const pglite = await openPglite();
afterAll(() => pglite.close());
const password = process.env.PGPASSWORD ?? 'none';
const connect = (url: string, name: string) =>
  openPostgres({ url, name, password, passwordEnv: 'PGPASSWORD', connections: 1 });
const contract = (title: string, url: string) =>
  publishContract(
    title,
    (name) => connect(url, name),
    ['postgres', url],
    (name) => unpublishPostgres(url, name),
  );

contract('PostgreSQL', pglite.url);

const server = process.env.DOCFUSE_PG_URL;
if (server) contract('PostgreSQL at DOCFUSE_PG_URL', server);
else
  describe.skip('publishing to a PostgreSQL server: DOCFUSE_PG_URL is not set', () => test('asks', () => {}));

/** Statements that make the tables of an earlier version from those of the next one. */
const BACK = {
  2: 'DROP TABLE docfuse.jobs',
  1: "DROP TABLE docfuse.leases; ALTER TABLE docfuse.editions ADD owner text NOT NULL DEFAULT '', ADD until float8 NOT NULL DEFAULT 0",
};

test.each([[[2]], [[2, 1]]] as const)('tables of earlier versions are migrated (%j)', async (versions) => {
  const engine = await connect(pglite.url, 'older');
  const files = [{ path: '0.md', text: '# One\n\nLantern.\n' }];
  const now = Date.now;
  await publish(engine, memorySource(files, String(versions)), { now });
  const client = new pg.Client({ connectionString: pglite.url, password });
  await client.connect();
  for (const version of versions)
    await client.query(`${BACK[version]}; UPDATE docfuse.layout SET version = ${version}`);
  const before = await engine.state();
  expect(await (await openRetrieval(engine)).words!.countOf('lantern')).toBe(1);
  expect(await publish(engine, memorySource(files, String(versions)), { now })).toMatchObject({ sent: 0 });
  expect(await engine.state()).toMatchObject({
    edition: before!.edition,
    generation: before!.generation + 1,
  });
  const { rows } = await client.query(
    "SELECT version, to_regclass('docfuse.leases') AS leases, to_regclass('docfuse.jobs') AS jobs FROM docfuse.layout",
  );
  expect(rows).toEqual([{ version: 3, leases: 'docfuse.leases', jobs: 'docfuse.jobs' }]);
  await client.end();
});
