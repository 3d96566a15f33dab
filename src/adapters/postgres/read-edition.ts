/** Reads the tables of an edition. */
import type {
  Answers,
  EditionReader,
  Found,
  Search,
  Selection,
  Wanted,
  WantedOfFound,
} from '../published/engine.ts';
import type { PostgresConnection } from './client.ts';
import { LANE_NUMBERS, tablesOf, toInt } from './layout.ts';
import { createParameters, readPayload, searchOf, testOf, withPayload } from './statement.ts';

const PAGE = 2_000;

interface Row {
  readonly id: number;
  /** The score in each search that found the row, by the place of the search. */
  readonly scores: Readonly<Record<string, number>> | null;
  readonly payload: readonly unknown[] | null;
}

/** @param hasGraph if not, all vectors are compared */
export function readEdition(
  { query }: PostgresConnection,
  edition: string,
  hasGraph: boolean,
): EditionReader {
  const tables = tablesOf(edition);

  async function* pages<Payload>(where: Selection, wanted: Wanted, most = Number.POSITIVE_INFINITY) {
    let last = -1;
    for (let read = 0; read < most; read += PAGE) {
      const parameters = createParameters();
      const test = testOf(where, tables, parameters);
      const after = parameters.add(last, 'bigint');
      const found = `SELECT p.id, NULL AS scores FROM ${tables[where.kind]} p WHERE p.id > ${after} AND ${test} ORDER BY p.id LIMIT ${PAGE}`;
      const rows = await query<Row>(
        `${withPayload(found, where.kind, wanted, tables, parameters)} ORDER BY p.id`,
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
    async search<Payload>(searches: readonly Search[], wanted?: WantedOfFound): Promise<Answers<Payload>> {
      const found = searches.map((): Found[] => []);
      const read = new Map<number, Payload>();
      if (searches.length === 0) return { found, payload: read };
      const parameters = createParameters();
      const parts = searches.map(
        (search, place) =>
          `SELECT ${place} AS search, f.id, f.score FROM (${searchOf(search, tables, hasGraph, parameters)}) f`,
      );
      const all = `SELECT a.id, json_object_agg(a.search, a.score) AS scores FROM (${parts.join(' UNION ALL ')}) a GROUP BY a.id`;
      const statement = wanted
        ? withPayload(all, searches[0]!.where.kind, wanted, tables, parameters)
        : `SELECT f.id::float8 AS id, f.scores FROM (${all}) f`;
      for (const { id, scores, payload } of await query<Row>(statement, parameters.values)) {
        for (const [place, score] of Object.entries(scores!)) found[Number(place)]!.push({ id, score });
        if (wanted) read.set(id, readPayload(payload, wanted));
      }
      for (const each of found) each.sort((a, b) => b.score - a.score || a.id - b.id);
      return { found, payload: read };
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
          ? `SELECT ${place} AS place, count(DISTINCT unit)::float8 AS units FROM ${tables.words} WHERE lane = ${LANE_NUMBERS[only.lane]} AND dimension = ANY(${parameters.add(only.holds.map(toInt), 'int[]')})`
          : `SELECT ${place} AS place, count(*)::float8 AS units FROM ${tables[where.kind]} p WHERE ${testOf(where, tables, parameters)}`;
      });
      const ordered = `${parts.join(' UNION ALL ')} ORDER BY place`;
      const rows = await query<{ readonly units: number }>(ordered, parameters.values);
      return rows.map(({ units }) => units);
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
