import { afterAll, expect, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource } from '../../support/published/publish-memory.ts';

const pglite = await openPglite();
afterAll(() => pglite.close());

async function publishFor(name: string, readers: readonly string[]): Promise<void> {
  const place = { url: pglite.url, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 };
  const engine = await openPostgres({ ...place, name, readers });
  await publish(engine, memorySource([{ path: '0.md', text: `# ${name}\n\nsome text\n` }]), {
    now: Date.now,
  });
  await engine.close();
}

/** Searches as a role does: the state, the list of words, and passages with their words. */
async function searchAs(role: string, name: string): Promise<number> {
  const place = { url: pglite.url, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 };
  const engine = await openPostgres({ ...place, name });
  await pglite.db.exec(`SET ROLE "${role.replaceAll('"', '""')}"`);
  try {
    const state = (await engine.state())!;
    const reader = engine.reader(state);
    await reader.words(state.words.place);
    const where = { kind: 'passage', all: [], none: [] } as const;
    const weights = { keyword: new Map([[1, 1]]) };
    await reader.search([{ where, limit: 3, by: { weights } }], { keys: ['chunk'], dimensions: [1] });
    await reader.read('document', [0], { keys: ['digest'] });
    return (await reader.counts([where]))[0]!;
  } finally {
    await pglite.db.exec('RESET ROLE');
    await engine.close();
  }
}

test('the roles of postgres.readers, and no others, search a publication', async () => {
  await pglite.db.exec('CREATE ROLE "in""side"; CREATE ROLE outside');
  // An administrator let everybody read all tables.
  await pglite.db.exec('ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO outside, PUBLIC');
  await publishFor('open', ['in"side', 'outside']);
  await publishFor('closed', ['in"side']);
  expect(await searchAs('in"side', 'closed')).toBe(1);
  expect(await searchAs('outside', 'open')).toBe(1);
  await expect(searchAs('outside', 'closed')).rejects.toMatchObject({
    code: 'remote',
    message: expect.stringContaining('does not allow this'),
  });
  await publishFor('open', ['in"side']);
  await expect(searchAs('outside', 'open')).rejects.toThrow('does not allow this');
});

test('nobody else reads a publication while it is filled', async () => {
  const place = { url: pglite.url, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 };
  const engine = await openPostgres({ ...place, name: 'filling', readers: ['in"side'] });
  await engine.writer('filling.1', 16);
  const { rows } = await pglite.db.query(
    "SELECT has_table_privilege('outside', format('docfuse.%I', tablename), 'SELECT') AS may FROM pg_tables WHERE tablename ~ '^(documents|passages|words|lists)_'",
  );
  const former = rows.length - 4;
  expect(rows.filter((row) => !(row as { may: boolean }).may).length).toBeGreaterThanOrEqual(4);
  expect(former).toBeGreaterThan(0);
  await engine.close();
});

test('a publisher that may not grant the shared tables says who must', async () => {
  await pglite.db.exec(`CREATE ROLE second; CREATE ROLE guest; GRANT CREATE, USAGE ON SCHEMA docfuse TO second;
    GRANT ALL ON ALL TABLES IN SCHEMA docfuse TO second; SET ROLE second`);
  try {
    await expect(publishFor('of second', ['guest'])).rejects.toMatchObject({
      message: expect.stringContaining('guest of postgres.readers cannot search'),
      remedy: expect.stringContaining('GRANT SELECT ON docfuse.layout, docfuse.publications TO "guest"'),
    });
  } finally {
    await pglite.db.exec('RESET ROLE');
  }
});

test('without postgres.readers, the grants of the database stay', async () => {
  await publishFor('granted', []);
  expect(await searchAs('outside', 'granted')).toBe(1);
});

test('a role that does not exist is named, and what was shown stays', async () => {
  await publishFor('named', ['outside']);
  await expect(publishFor('named', ['nobody here'])).rejects.toMatchObject({
    message: expect.stringContaining('role "nobody here" does not exist'),
    remedy: expect.stringContaining('postgres.readers'),
  });
  expect(await searchAs('outside', 'named')).toBe(1);
});
