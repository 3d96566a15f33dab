import { afterAll, describe, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { retrievalContract } from '../../contracts/retrieval-contract.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { publishing } from '../../support/published/publish-memory.ts';

/** Filling tables takes a tenth of a second; `CONTRACT_SHARE=1` draws as many as for an index in memory. */
const COST = {
  share: Number(process.env.CONTRACT_SHARE ?? 0.1),
  timeout: 900_000,
  declares: { wordForms: false },
  // Tables hold vectors of 16 bits, as an index does. Those of the contract have 32.
  tolerance: { cosine: 5e-4, share: 5e-10 },
};

const password = process.env.PGPASSWORD ?? 'none';
const at = (url: string, connections: number, exactPassages?: number) =>
  publishing((name) =>
    openPostgres({ url, name, connections, password, passwordEnv: 'PGPASSWORD' }, exactPassages),
  );

const pglite = await openPglite();
afterAll(() => pglite.close());
retrievalContract('PostgreSQL in one process', at(pglite.url, 1), COST);
retrievalContract('PostgreSQL with a graph of vectors', at(pglite.url, 1, 0), {
  ...COST,
  share: COST.share / 4,
  declares: { ...COST.declares, exactVectors: false },
});

const server = process.env.DOCFUSE_PG_URL;
if (server) retrievalContract('PostgreSQL at DOCFUSE_PG_URL', at(server, 4), COST);
else
  describe.skip('the contract of retrieval at a PostgreSQL server: DOCFUSE_PG_URL is not set', () =>
    test('asks', () => {}));
