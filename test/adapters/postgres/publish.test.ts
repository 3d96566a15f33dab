import { afterAll } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { publishContract } from '../../contracts/publish-contract.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';

const pglite = await openPglite();
afterAll(() => pglite.close());
const connect = (name: string) =>
  openPostgres({ url: pglite.url, name, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 });

publishContract('PostgreSQL', connect, ['postgres', pglite.url]);
