/** Makes and fills the tables of an edition, lets roles read them, then shows the edition under the name of the index. */
import { DocfuseError } from '../../core/errors.ts';
import type { DocumentParts, PassagePart } from '../published/document-parts.ts';
import type { EditionWriter, PublishedEngine } from '../published/engine.ts';
import type { Occurrences, Weights, WordLane } from '../published/format.ts';
import { requireOwner } from '../published/lease.ts';
import { readLease } from './claim-name.ts';
import type { PostgresConnection, Query } from './client.ts';
import {
  editionTables,
  graphIndex,
  LANE_NUMBERS,
  migrate,
  requireVectors,
  type Tables,
  tablesOf,
  toInt,
} from './layout.ts';

/** Documents of a run after which tables are vacuumed. */
const MANY = 1_000;

/** Makes the tables if they are missing. @param dimensions length of the vectors; 0 without vectors */
export async function writeEdition(
  connection: PostgresConnection,
  edition: string,
  dimensions: number,
  about: Pick<PublishedEngine, 'title' | 'nameSetting'>,
  exactPassages: number,
  signal?: AbortSignal,
): Promise<EditionWriter> {
  const { name, readers = [] } = connection.place;
  const tables = tablesOf(edition);
  const run = <T>(work: (query: Query) => Promise<T>) => connection.transaction(work, signal);
  await run(async (query) => {
    await migrate(query);
    if (dimensions > 0) await requireVectors(query);
    await query(editionTables(edition, dimensions));
    // Before the first text is written.
    await grantReading(query, edition, readers);
    await query('INSERT INTO docfuse.editions VALUES ($1, $2) ON CONFLICT DO NOTHING', [edition, name]);
  });

  /** Deletes the tables of all other editions of this index. */
  async function tidy(query: Query): Promise<void> {
    const gone = await query<{ readonly edition: string }>(
      'DELETE FROM docfuse.editions WHERE name = $1 AND edition <> $2 RETURNING edition',
      [name, edition],
    );
    for (const former of gone)
      await query(`DROP TABLE IF EXISTS ${Object.values(tablesOf(former.edition)).join(', ')}`);
  }

  let written = 0;

  return {
    async digests() {
      const rows = await connection.query<{ readonly id: number; readonly digest: string }>(
        `SELECT id::float8 AS id, payload ->> 'digest' AS digest FROM ${tables.document}`,
        [],
        signal,
      );
      return new Map(rows.map(({ id, digest }) => [id, digest]));
    },
    write: (documents) =>
      run(async (query) => {
        // Some documents may be stored already: if the answer to a COMMIT is lost, `run` writes the batch a second time.
        const stored = await query<{ readonly id: number }>(
          `SELECT id::float8 AS id FROM ${tables.document} WHERE id = ANY($1::bigint[])`,
          [documents.map(({ number }) => number)],
        );
        const twice = stored.map(({ id }) => id);
        await remove(query, tables, twice);
        await insert(query, tables, documents, dimensions);
        written += documents.length;
      }),
    remove: (numbers) => run((query) => remove(query, tables, numbers)),
    saveWords: (place, bytes) =>
      run(async (query) => {
        await query(`DELETE FROM ${tables.list} WHERE place = $1`, [place]);
        await query(`INSERT INTO ${tables.list} VALUES ($1, $2)`, [place, Buffer.from(bytes)]);
      }),
    async show(state, owner) {
      if (dimensions > 0 && state.passages.count > exactPassages)
        await run((query) => query(graphIndex(edition)));
      // Until pages are marked as seen by all transactions, a search by words looks at the row of each word. The server's own
      // cleaning comes later, and only after many changes. A role may lack the time for it.
      if (written >= MANY)
        await connection
          .query(`VACUUM (ANALYZE) ${Object.values(tables).join(', ')}`, [], signal)
          .catch(() => signal?.throwIfAborted());
      await run(async (query) => {
        // Locks the lease, so that nobody takes it before this edition is shown.
        requireOwner(await readLease(query, name, 'FOR UPDATE'), owner, about);
        await query(
          `INSERT INTO docfuse.publications VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET edition = excluded.edition, state = excluded.state`,
          [name, edition, toJson(state)],
        );
      });
      await run(tidy);
    },
  };
}

const SHARED = 'docfuse.layout, docfuse.publications';

/**
 * Grants the roles what a search needs, and takes it from all others but the owner of the tables. Runs in a transaction that holds
 * the lock of `migrate`: PostgreSQL refuses two grants on one table at the same time. All readers see the state of all
 * publications of the database, such as names of collections, but no documents.
 * @param roles empty: nothing is changed, so that the grants of an administrator apply
 * @throws DocfuseError `remote` if the role that publishes may not grant this
 */
async function grantReading(query: Query, edition: string, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  const tables = Object.values(tablesOf(edition)).join(', ');
  const others = await query<{ readonly role: string }>(
    `SELECT DISTINCT quote_ident(grantee) AS role FROM information_schema.role_table_grants g
      WHERE table_schema = 'docfuse' AND table_name = ANY($1::text[]) AND grantee NOT IN (current_user, 'PUBLIC')
        AND grantee <> (SELECT tableowner FROM pg_tables t WHERE t.schemaname = 'docfuse' AND t.tablename = g.table_name)`,
    [tables.replaceAll('docfuse.', '').split(', ')],
  );
  for (const { role } of [{ role: 'PUBLIC' }, ...others]) await query(`REVOKE ALL ON ${tables} FROM ${role}`);
  const readers = roles.map((role) => `"${role.replaceAll('"', '""')}"`).join(', ');
  await query(`GRANT USAGE ON SCHEMA docfuse TO ${readers}`);
  await query(`GRANT SELECT ON ${SHARED}, ${tables} TO ${readers}`);
  // A role that does not own a table, and so may not grant it, gets a warning of the server and no error.
  const [without] = await query<{ readonly role: string }>(
    `SELECT role FROM unnest($1::text[]) role WHERE NOT has_schema_privilege(role, 'docfuse', 'USAGE')
       OR NOT has_table_privilege(role, 'docfuse.layout', 'SELECT') OR NOT has_table_privilege(role, 'docfuse.publications', 'SELECT')`,
    [roles],
  );
  if (without)
    throw new DocfuseError(
      'remote',
      `The role ${without.role} of postgres.readers cannot search: another role owns the schema docfuse, and alone may grant it.`,
      `Let the owner run: GRANT USAGE ON SCHEMA docfuse TO ${readers}; GRANT SELECT ON ${SHARED} TO ${readers};`,
    );
}

/** Deletes documents. Reads from their rows which words they hold, because the table of words has no index by unit. */
async function remove(query: Query, tables: Tables, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const forget = (lanes: string, table: string, by: string) =>
    query(
      `DELETE FROM ${tables.words} w USING (SELECT p.id, unnest(p.words) AS dimension FROM ${table} p WHERE p.${by} = ANY($1::bigint[])) o
        WHERE w.lane IN (${lanes}) AND w.dimension = o.dimension AND w.unit = o.id`,
      [numbers],
    );
  await forget('0, 1, 2', tables.passage, 'document');
  await forget('3, 4', tables.document, 'id');
  await query(`DELETE FROM ${tables.passage} WHERE document = ANY($1::bigint[])`, [numbers]);
  await query(`DELETE FROM ${tables.document} WHERE id = ANY($1::bigint[])`, [numbers]);
}

async function insert(
  query: Query,
  { document, passage, words }: Tables,
  documents: readonly DocumentParts[],
  dimensions: number,
): Promise<void> {
  await insertRows(query, document, documents, {
    id: ['bigint', ({ number }) => number],
    modified: ['float8', ({ payload }) => payload.modified],
    lengths: ['json', ({ payload }) => toJson(payload.lengths)],
    words: ['int[]', ({ payload }) => wordsOf(payload.in)],
    keys: ['jsonb', ({ payload }) => toJson(keysOf(payload))],
    payload: ['jsonb', ({ payload: { in: _, ...payload } }) => toJson(payload)],
  });
  const passages = documents.flatMap((each) => each.passages);
  await insertRows(query, passage, passages, {
    id: ['bigint', ({ slot }) => slot],
    document: ['bigint', ({ payload }) => payload.document],
    draw: ['int', ({ payload }) => payload.draw],
    modified: ['float8', ({ payload }) => payload.modified],
    lengths: ['json', ({ payload }) => toJson(payload.lengths)],
    coded: ['json', ({ payload: { code } }) => code && toJson(code.lengths)],
    words: ['int[]', ({ payload }) => wordsOf({ ...payload.in, ...payload.code?.in })],
    keys: ['jsonb', ({ payload }) => toJson(keysOf(payload))],
    chunk: ['jsonb', ({ payload }) => toJson(payload.chunk)],
    ...(dimensions > 0 && {
      vector: ['halfvec', ({ vector }: PassagePart) => vector && `[${vector.join()}]`],
    }),
  });
  const rows = [
    ...passages.flatMap(({ slot, weights, payload }) =>
      wordRows(slot, weights, { keyword: payload.in, ...(payload.code && { code: payload.code.in }) }),
    ),
    ...documents.flatMap(({ number, weights, payload }) =>
      wordRows(number, weights, { document: payload.in }),
    ),
  ];
  await insertRows(query, words, rows, {
    lane: ['smallint', ({ lane }) => LANE_NUMBERS[lane]],
    dimension: ['int', ({ dimension }) => toInt(dimension)],
    unit: ['int', ({ unit }) => unit],
    weight: ['real', ({ weight }) => weight],
    held: ['json', ({ held }) => held && JSON.stringify(held)],
  });
}

/** @param columns type and value of each column */
async function insertRows<Row>(
  query: Query,
  table: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, readonly [type: string, value: (row: Row) => unknown]>>,
): Promise<void> {
  const names = Object.keys(columns);
  const types = Object.values(columns).map(([type]) => type);
  // `unnest` would take an array of arrays apart.
  const sent = types.map((type, place) => `$${place + 1}::${type.endsWith('[]') ? 'text' : type}[]`);
  await query(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name, place) => `${name}::${types[place]}`).join(', ')}
      FROM unnest(${sent.join(', ')}) r (${names.join(', ')})`,
    Object.values(columns).map(([, value]) => rows.map(value)),
  );
}

/** @param held occurrences of words, by lane. The lanes `named` and `title` have none of their own */
function wordRows(unit: number, weights: Weights, held: Readonly<Partial<Record<WordLane, Occurrences>>>) {
  return Object.entries(weights).flatMap(([name, words]) => {
    const lane = name as WordLane;
    return [...words].map(([dimension, weight]) => {
      return { lane, dimension, unit, weight, held: held[lane]?.[dimension] };
    });
  });
}

const wordsOf = (held: Occurrences) => `{${Object.keys(held).map((each) => toInt(Number(each)))}}`;

/** Returns the fields of a payload that conditions test. */
function keysOf(payload: object) {
  const { collection, scopes, tags, authors, categories, languages, files, shown } = payload as Readonly<
    Record<string, unknown>
  >;
  return { collection, scopes, tags, authors, categories, languages, files, shown };
}

/** Returns JSON in which U+0000 and unpaired surrogates, which PostgreSQL refuses, are U+FFFD. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\uFFFD') : each,
  );
}
