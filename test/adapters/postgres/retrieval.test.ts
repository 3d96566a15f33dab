import { afterAll, describe, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { retrievalContract } from '../../contracts/retrieval-contract.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { publishing } from '../../support/published/publish-memory.ts';

/** Filling tables takes a tenth of a second; `CONTRACT_SHARE=1` draws as many as for an index in memory. */
const COST = { share: Number(process.env.CONTRACT_SHARE ?? 0.1), timeout: 900_000 };

const at = (url: string, connections: number) =>
  publishing((name) =>
    openPostgres({
      ...{ url, name, connections },
      password: process.env.PGPASSWORD ?? 'none',
      passwordEnv: 'PGPASSWORD',
    }),
  );

const pglite = await openPglite();
afterAll(() => pglite.close());
retrievalContract('PostgreSQL in one process', at(pglite.url, 1), COST);

const server = process.env.DOCFUSE_PG_URL;
if (server) retrievalContract('PostgreSQL at DOCFUSE_PG_URL', at(server, 4), COST);
else
  describe.skip('the contract of retrieval at a PostgreSQL server: DOCFUSE_PG_URL is not set', () =>
    test('asks', () => {}));
