/** The tables of published indexes: tables that all indexes share, and the tables of each edition. */
import { DocfuseError } from '../../core/errors.ts';
import { shortDigest, type WordLane } from '../published/format.ts';
import { type Query, stateOf } from './client.ts';

/** The number that stands for each lane in the table of words. */
export const LANE_NUMBERS: Readonly<Record<WordLane, number>> = {
  keyword: 0,
  named: 1,
  code: 2,
  document: 3,
  title: 4,
};

/** Returns a dimension as the tables store it: PostgreSQL has no unsigned integers. */
export const toInt = (dimension: number) => dimension | 0;

/** Migrations of the shared tables. The version is the number of migrations that have run. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE docfuse.editions (edition text PRIMARY KEY, name text NOT NULL, owner text NOT NULL, until float8 NOT NULL);
   CREATE TABLE docfuse.publications (name text PRIMARY KEY, edition text NOT NULL, state jsonb NOT NULL);`,
  `CREATE TABLE docfuse.leases (name text PRIMARY KEY, owner text NOT NULL, since timestamptz NOT NULL, until timestamptz NOT NULL);
   ALTER TABLE docfuse.editions DROP COLUMN owner, DROP COLUMN until;`,
  // Unlogged: a crash of the server empties it, and indexers then embed what is missing.
  `CREATE UNLOGGED TABLE docfuse.jobs (model text, key text, body text NOT NULL, asked timestamptz NOT NULL DEFAULT clock_timestamp(),
     owner text, until timestamptz NOT NULL DEFAULT '-infinity', leases smallint NOT NULL DEFAULT 0, vector bytea, PRIMARY KEY (model, key));
   CREATE INDEX jobs_waiting ON docfuse.jobs (model, asked, key) WHERE vector IS NULL;
   -- It holds texts of all indexes, so default privileges for searching do not apply.
   DO $$ DECLARE named text; BEGIN
     FOR named IN SELECT DISTINCT grantee FROM information_schema.role_table_grants
       WHERE table_schema = 'docfuse' AND table_name = 'jobs' AND grantee <> current_user
     LOOP EXECUTE 'REVOKE ALL ON docfuse.jobs FROM ' || CASE named WHEN 'PUBLIC' THEN named ELSE quote_ident(named) END; END LOOP;
   END $$;`,
];
const LAYOUT = MIGRATIONS.length;

/** Vectors with up to this number of dimensions are stored in the row itself, where comparing all vectors is fastest. */
const MAX_PLAIN = 3_000;

export type Tables = ReturnType<typeof tablesOf>;

export function tablesOf(edition: string) {
  const named = (what: string) => `docfuse.${what}_${shortDigest(edition)}`;
  return {
    document: named('documents'),
    passage: named('passages'),
    words: named('words'),
    list: named('lists'),
  };
}

/** Makes the shared tables, or migrates them to `LAYOUT`, inside a transaction. @throws DocfuseError `index_newer` */
export async function migrate(query: Query): Promise<void> {
  // Only one process at a time migrates.
  await query('SELECT pg_advisory_xact_lock(7331020)');
  const [found] = await query<{ readonly has: boolean }>(
    "SELECT to_regclass('docfuse.layout') IS NOT NULL AS has",
  );
  if (!found!.has) {
    await query('CREATE SCHEMA IF NOT EXISTS docfuse');
    await query('CREATE TABLE docfuse.layout (version int NOT NULL)');
    await query('INSERT INTO docfuse.layout VALUES (0)');
  }
  const [{ version } = { version: 0 }] = await query<{ readonly version: number }>(
    'SELECT version FROM docfuse.layout',
  );
  requireLayout(version);
  for (const step of MIGRATIONS.slice(version)) await query(step);
  if (version < LAYOUT) await query('UPDATE docfuse.layout SET version = $1', [LAYOUT]);
}

/** @throws DocfuseError `index_newer` */
export function requireLayout(version: number): void {
  if (version <= LAYOUT) return;
  throw new DocfuseError(
    'index_newer',
    `The tables in PostgreSQL were made by a newer docfuse (version ${version}, here ${LAYOUT}).`,
    'Update docfuse on this machine.',
  );
}

/** Makes the extension if it is missing. @throws DocfuseError `remote` without pgvector, or if it is too old */
export async function requireVectors(query: Query): Promise<void> {
  const read = () =>
    query<{ readonly version: string }>(
      "SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'",
    );
  const found = await read();
  if (found.length === 0)
    await query('CREATE EXTENSION vector WITH SCHEMA public').catch((error: unknown) => {
      throw new DocfuseError(
        'remote',
        'PostgreSQL has no extension vector (pgvector 0.8 or newer) in this database.',
        stateOf(error) === '42501'
          ? 'Let an administrator run CREATE EXTENSION vector in this database.'
          : 'Install the package pgvector beside the server; its tables hold the vectors of passages.',
        { cause: error },
      );
    });
  const [{ version }] = (found.length > 0 ? found : await read()) as [{ readonly version: string }];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // 0.8 brought iterative scans: without them, a filtered search over the graph finds too few passages.
  if (major > 0 || minor >= 8) return;
  throw new DocfuseError(
    'remote',
    `The extension vector in PostgreSQL is pgvector ${version}, which is too old.`,
    'Install pgvector 0.8 or newer beside the server, and run ALTER EXTENSION vector UPDATE in this database.',
  );
}

/** Returns the statements that make the tables of an edition, if they are missing. */
export function editionTables(edition: string, dimensions: number): string {
  const { document, passage, words, list } = tablesOf(edition);
  const index = (table: string, what: string, on: string) =>
    `CREATE INDEX IF NOT EXISTS ${table.slice('docfuse.'.length)}_${what} ON ${table} ${on};`;
  return `
    CREATE TABLE IF NOT EXISTS ${document} (id bigint PRIMARY KEY, modified float8 NOT NULL, lengths json NOT NULL, words int[] NOT NULL,
      keys jsonb NOT NULL, payload jsonb NOT NULL);
    CREATE TABLE IF NOT EXISTS ${passage} (id bigint PRIMARY KEY, document bigint NOT NULL, draw int NOT NULL, modified float8 NOT NULL${dimensions > 0 ? `, vector halfvec(${dimensions})` : ''},
      lengths json NOT NULL, coded json, words int[] NOT NULL, keys jsonb NOT NULL, chunk jsonb NOT NULL);
    CREATE TABLE IF NOT EXISTS ${words} (lane smallint, dimension int, unit int, weight real NOT NULL, held json,
      PRIMARY KEY (lane, dimension, unit) INCLUDE (weight));
    CREATE TABLE IF NOT EXISTS ${list} (place int PRIMARY KEY, bytes bytea NOT NULL);
    ${index(document, 'keys', 'USING gin (keys jsonb_path_ops)')}
    ${index(passage, 'keys', 'USING gin (keys jsonb_path_ops)')}
    ${index(passage, 'document', '(document, id)')}
    ${index(passage, 'draw', '(draw)')}
    ${dimensions > 0 && dimensions <= MAX_PLAIN ? `ALTER TABLE ${passage} ALTER COLUMN vector SET STORAGE PLAIN;` : ''}`;
}

export function graphIndex(edition: string): string {
  const { passage } = tablesOf(edition);
  return `CREATE INDEX IF NOT EXISTS ${passage.slice('docfuse.'.length)}_graph ON ${passage} USING hnsw (vector halfvec_ip_ops)`;
}
