/** Reads the tables of an edition. */
import type { EditionReader, Found, Item, Search, Selection, Wanted } from '../published/engine.ts';
import type { PostgresConnection } from './client.ts';
import { LANE_NUMBERS, tablesOf, toInt } from './layout.ts';
import { createParameters, readPayload, searchOf, testOf, withPayload } from './statement.ts';

const PAGE = 2_000;

interface Row {
  readonly search: number;
  readonly id: number;
  readonly score: number;
  readonly payload: readonly unknown[] | null;
}

/** @param hasGraph if not, all vectors are compared */
export function readEdition(
  { query }: PostgresConnection,
  edition: string,
  hasGraph: boolean,
): EditionReader {
  const tables = tablesOf(edition);

  async function* pages<Payload>(
    where: Selection,
    wanted: Wanted,
    most = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<readonly Item<Payload>[]> {
    let last = -1;
    for (let read = 0; read < most; read += PAGE) {
      const parameters = createParameters();
      const test = testOf(where, tables, parameters);
      const after = parameters.add(last, 'bigint');
      const found = `SELECT p.id, 0 AS score FROM ${tables[where.kind]} p WHERE p.id > ${after} AND ${test} ORDER BY p.id LIMIT ${PAGE}`;
      const rows = await query<Row>(
        `SELECT f.id::float8 AS id, f.payload FROM (${withPayload(found, where.kind, wanted, tables, parameters)}) f ORDER BY f.id`,
        parameters.values,
      );
      if (rows.length === 0) return;
      yield rows.map(({ id, payload }) => ({ id, payload: readPayload<Payload>(payload, wanted) }));
      last = rows.at(-1)!.id;
      if (rows.length < PAGE) return;
    }
  }

  return {
    pages,
    exactVectors: !hasGraph,
    async search<Payload>(searches: readonly Search[]): Promise<readonly (readonly Found<Payload>[])[]> {
      if (searches.length === 0) return [];
      const parameters = createParameters();
      const parts = searches.map(
        (search, place) =>
          `SELECT ${place} AS search, f.id::float8 AS id, f.score, f.payload FROM (${searchOf(search, tables, hasGraph, parameters)}) f`,
      );
      const rows = await query<Row>(
        `${parts.join(' UNION ALL ')} ORDER BY search, score DESC, id`,
        parameters.values,
      );
      const found = searches.map((): Found<Payload>[] => []);
      for (const { search, id, score, payload } of rows)
        found[search]!.push({ id, score, payload: readPayload(payload, searches[search]!.wanted) });
      return found;
    },
    async read<Payload>(kind: Selection['kind'], ids: readonly number[], wanted: Wanted) {
      const found = new Map<number, Payload>();
      if (ids.length === 0) return found;
      for await (const page of pages<Payload>({ kind, all: [{ ids }], none: [] }, wanted))
        for (const { id, payload } of page) found.set(id, payload);
      return found;
    },
    async counts(selections) {
      if (selections.length === 0) return [];
      const parameters = createParameters();
      const parts = selections.map((where, place) => {
        const [only, ...more] = where.all;
        const isPlain = only && 'lane' in only && more.length + where.none.length === 0 && !where.some;
        return isPlain
          ? `SELECT ${place} AS search, count(DISTINCT unit)::float8 AS id FROM ${tables.words} WHERE lane = ${LANE_NUMBERS[only.lane]} AND dimension = ANY(${parameters.add(only.holds.map(toInt), 'int[]')})`
          : `SELECT ${place} AS search, count(*)::float8 AS id FROM ${tables[where.kind]} p WHERE ${testOf(where, tables, parameters)}`;
      });
      const rows = await query<Row>(parts.join(' UNION ALL '), parameters.values);
      return rows.toSorted((a, b) => a.search - b.search).map(({ id }) => id);
    },
    async vectors(slots) {
      if (slots.length === 0) return new Map();
      const rows = await query<{ readonly id: number; readonly vector: string }>(
        `SELECT id::float8 AS id, vector::text AS vector FROM ${tables.passage} WHERE id = ANY($1::bigint[]) AND vector IS NOT NULL`,
        [slots],
      );
      return new Map(rows.map(({ id, vector }) => [id, Float32Array.from(JSON.parse(vector))]));
    },
    async words(place) {
      const [found] = await query<{ readonly bytes: Buffer }>(
        `SELECT bytes FROM ${tables.list} WHERE place = $1`,
        [place],
      );
      return found?.bytes;
    },
  };
}
