/** Makes and fills the tables of an edition, then shows the edition under the name of the index. */
import type { DocumentParts } from '../published/document-parts.ts';
import type { EditionWriter, PublishedEngine } from '../published/engine.ts';
import type { Weights, WordLane } from '../published/format.ts';
import { requireOwner } from '../published/lease.ts';
import { readLease } from './claim-name.ts';
import type { PostgresConnection, Query } from './client.ts';
import { grantReading } from './grant-reading.ts';
import {
  editionTables,
  graphIndex,
  LANE_NUMBERS,
  migrate,
  requireVectors,
  type Tables,
  tablesOf,
} from './layout.ts';

/** Makes the tables if they are missing. @param dimensions length of the vectors; 0 without vectors */
export async function writeEdition(
  connection: PostgresConnection,
  edition: string,
  dimensions: number,
  engine: Pick<PublishedEngine, 'exactPassages' | 'title' | 'nameSetting'>,
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
        await remove(
          query,
          tables,
          stored.map(({ id }) => id),
        );
        await insert(query, tables, documents, dimensions);
      }),
    remove: (numbers) => run((query) => remove(query, tables, numbers)),
    saveWords: (place, bytes) =>
      run(async (query) => {
        await query(`DELETE FROM ${tables.list} WHERE place = $1`, [place]);
        await query(`INSERT INTO ${tables.list} VALUES ($1, $2)`, [place, Buffer.from(bytes)]);
      }),
    async show(state, owner) {
      if (dimensions > 0 && state.passages.count > engine.exactPassages)
        await run((query) => query(graphIndex(edition, dimensions)));
      await run(async (query) => {
        // Locks the lease, so that nobody takes it before this edition is shown.
        requireOwner(await readLease(query, name, 'FOR UPDATE'), owner, engine);
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

/** Deletes documents. Reads from their rows which words they hold, because the table of words has no index by unit. */
async function remove(query: Query, tables: Tables, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const held = (table: string, by: string, words: string) =>
    `SELECT p.id, d.d::bigint AS dimension FROM ${table} p, jsonb_object_keys(p.${words}) d (d) WHERE p.${by} = ANY($1::bigint[])`;
  const forget = (lanes: string, from: string) =>
    query(
      `DELETE FROM ${tables.words} w USING (${from}) o WHERE w.lane IN (${lanes}) AND w.dimension = o.dimension AND w.unit = o.id`,
      [numbers],
    );
  await forget('0, 1', held(tables.passage, 'document', 'held'));
  await forget('2', held(tables.passage, 'document', 'coded'));
  await forget('3, 4', held(tables.document, 'id', 'held'));
  await query(`DELETE FROM ${tables.passage} WHERE document = ANY($1::bigint[])`, [numbers]);
  await query(`DELETE FROM ${tables.document} WHERE id = ANY($1::bigint[])`, [numbers]);
}

async function insert(
  query: Query,
  tables: Tables,
  documents: readonly DocumentParts[],
  dimensions: number,
): Promise<void> {
  const passages = documents.flatMap((each) => each.passages);
  const column = <T>(rows: readonly T[], value: (row: T) => unknown) => rows.map(value);
  await query(
    `INSERT INTO ${tables.document} SELECT * FROM unnest($1::bigint[], $2::float8[], $3::jsonb[], $4::jsonb[], $5::jsonb[])`,
    [
      column(documents, ({ number }) => number),
      column(documents, ({ payload }) => payload.modified),
      column(documents, ({ payload }) => toJson(keysOf(payload))),
      column(documents, ({ payload: { in: _, ...payload } }) => toJson(payload)),
      column(documents, ({ payload }) => toJson(payload.in)),
    ],
  );
  const vectors = dimensions > 0;
  await query(
    `INSERT INTO ${tables.passage} SELECT id, document, draw, modified, keys, payload, held, coded, chunk${vectors ? ', vector::vector' : ''}
      FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::float8[], $5::jsonb[], $6::jsonb[], $7::jsonb[], $8::jsonb[], $9::jsonb[]${vectors ? ', $10::text[]' : ''})
      p (id, document, draw, modified, keys, payload, held, coded, chunk${vectors ? ', vector' : ''})`,
    [
      column(passages, ({ slot }) => slot),
      column(passages, ({ payload }) => payload.document),
      column(passages, ({ payload }) => payload.draw),
      column(passages, ({ payload }) => payload.modified),
      column(passages, ({ payload }) => toJson(keysOf(payload))),
      column(passages, ({ payload: { chunk: _, in: __, code, ...payload } }) =>
        toJson({ ...payload, ...(code && { code: { lengths: code.lengths } }) }),
      ),
      column(passages, ({ payload }) => toJson(payload.in)),
      column(passages, ({ payload: { code } }) => code && toJson(code.in)),
      column(passages, ({ payload }) => toJson(payload.chunk)),
      ...(vectors ? [column(passages, ({ vector }) => vector && `[${vector.join()}]`)] : []),
    ],
  );
  const rows = [
    ...passages.flatMap(({ slot, weights }) => wordRows(slot, weights)),
    ...documents.flatMap(({ number, weights }) => wordRows(number, weights)),
  ];
  const [lanes, words, units, weights] = [0, 1, 2, 3].map((place) => rows.map((row) => row[place]));
  await query(
    `INSERT INTO ${tables.words} SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::real[])`,
    [lanes, words, units, weights],
  );
}

function wordRows(unit: number, weights: Weights) {
  return Object.entries(weights).flatMap(([lane, words]) =>
    [...words].map(
      ([dimension, weight]) => [LANE_NUMBERS[lane as WordLane], dimension, unit, weight] as const,
    ),
  );
}

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
