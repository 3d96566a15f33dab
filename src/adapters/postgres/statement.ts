/** Parts of statements: parameters, conditions, and searches. */
import type { Condition, Search, Selection, Wanted } from '../published/engine.ts';
import { LANE_NUMBERS, type Tables } from './layout.ts';

export type Parameters = ReturnType<typeof createParameters>;

/** Collects the values of a statement. */
export function createParameters() {
  const values: unknown[] = [];
  const places = new Map<unknown, string>();
  return {
    values,
    /** @param key equal keys of one type share a value. @returns the place of the value, with its type */
    add(value: unknown, type: string, key: unknown = value): string {
      const known = typeof key === 'object' ? places.get(key) : undefined;
      if (known?.endsWith(type)) return known;
      const place = `$${values.push(value)}::${type}`;
      if (typeof key === 'object') places.set(key, place);
      return place;
    },
  };
}

/** Keys whose value is one and not a list. */
const SINGLE: ReadonlySet<string> = new Set(['collection', 'shown']);

/** The test of a row `p`. */
export function testOf({ all, none, some }: Selection, tables: Tables, { add }: Parameters): string {
  function write(condition: Condition): string {
    if ('ids' in condition) return `p.id = ANY(${add(condition.ids, 'bigint[]')})`;
    if ('lane' in condition) {
      const { lane, holds } = condition;
      return `EXISTS (SELECT FROM ${tables.words} w WHERE w.lane = ${LANE_NUMBERS[lane]} AND w.unit = p.id AND w.dimension = ANY(${add(holds, 'bigint[]')}))`;
    }
    const { key } = condition;
    if ('any' in condition) {
      if (key === 'document') return `p.document = ANY(${add(condition.any, 'bigint[]')})`;
      // One term for each value: an index on keys answers these, but no `ANY`.
      const tests = condition.any.map(
        (value) => `p.keys @> ${add(JSON.stringify({ [key]: SINGLE.has(key) ? value : [value] }), 'jsonb')}`,
      );
      return tests.length === 0 ? 'false' : `(${tests.join(' OR ')})`;
    }
    const { from, below } = condition;
    const limits = [
      ...(from === undefined ? [] : [`p.${key} >= ${add(from, 'float8')}`]),
      ...(below === undefined ? [] : [`p.${key} < ${add(below, 'float8')}`]),
    ];
    return limits.join(' AND ');
  }
  const tests = [
    ...all.map(write),
    ...none.map((each) => `NOT ${write(each)}`),
    ...(some ? [`(${some.map(write).join(' OR ') || 'false'})`] : []),
  ];
  return tests.join(' AND ') || 'true';
}

/** A list of values of `p`: those at the keys, then the occurrences of words in text and code. */
export function payloadOf({ keys, dimensions }: Wanted, { add }: Parameters): string {
  const at = (key: string) => (key === 'chunk' ? 'p.chunk' : `p.payload #> '{${key.replaceAll('.', ',')}}'`);
  const held = (of: string) =>
    `(SELECT jsonb_object_agg(d, ${of} -> d) FROM unnest(${add(dimensions!.map(String), 'text[]', dimensions)}) d WHERE ${of} ? d)`;
  const words = dimensions ? [held("(p.payload -> 'in')"), held("(p.payload #> '{code,in}')")] : [];
  return `jsonb_build_array(${[...keys.map(at), ...words].join(', ')})`;
}

/** Puts the values of `payloadOf` in their places. */
export function readPayload<Payload>(values: readonly unknown[], { keys, dimensions }: Wanted): Payload {
  const payload: Record<string, unknown> = {};
  const paths = dimensions ? [...keys, 'in', 'code.in'] : keys;
  for (const [place, path] of paths.entries()) {
    const value = values[place];
    if (value === null || value === undefined) continue;
    const [name, part] = path.split('.') as [string, string | undefined];
    payload[name] = part === undefined ? value : { ...(payload[name] as object), [part]: value };
  }
  return payload as Payload;
}

/** The rows of a search, with `id`, `score` and `payload`. @param halves length of vectors in the graph; 0 compares all vectors */
export function searchOf(search: Search, tables: Tables, halves: number, parameters: Parameters): string {
  const { where, limit, wanted, by } = search;
  const { add } = parameters;
  const table = tables[where.kind];
  const test = testOf(where, tables, parameters);
  const payload = payloadOf(wanted, parameters);
  const most = Math.trunc(limit);
  if (!by)
    return `SELECT p.id, 0::float8 AS score, ${payload} AS payload FROM ${table} p WHERE ${test} ORDER BY p.id LIMIT ${most}`;
  if ('vector' in by) {
    const query = add(`[${by.vector.join()}]`, 'vector', by.vector);
    const half = `halfvec(${halves})`;
    const near =
      halves === 0
        ? `SELECT p.id, p.vector <#> ${query} AS distance FROM ${table} p WHERE p.vector IS NOT NULL AND ${test} ORDER BY 2, 1 LIMIT ${most}`
        : `SELECT n.id, n.vector <#> ${query} AS distance FROM (SELECT p.id, p.vector FROM ${table} p WHERE ${test} ORDER BY p.vector::${half} <#> ${query}::${half} LIMIT ${2 * most}) n ORDER BY 2, 1 LIMIT ${most}`;
    return `SELECT p.id, -n.distance AS score, ${payload} AS payload FROM (${near}) n JOIN ${table} p USING (id)`;
  }
  const rows = Object.entries(by.weights).flatMap(([lane, words]) =>
    [...words].map(
      ([dimension, weight]) => [LANE_NUMBERS[lane as keyof typeof LANE_NUMBERS], dimension, weight] as const,
    ),
  );
  const asked = `unnest(${add(
    rows.map(([lane]) => lane),
    'smallint[]',
  )}, ${add(
    rows.map(([, dimension]) => dimension),
    'bigint[]',
  )}, ${add(
    rows.map(([, , weight]) => weight),
    'float8[]',
  )}) q (lane, dimension, weight)`;
  const first = test === 'true' ? `ORDER BY 2 DESC, 1 LIMIT ${most}` : '';
  const scored = `SELECT w.unit, sum(w.weight * q.weight) AS score FROM ${asked} JOIN ${tables.words} w USING (lane, dimension) GROUP BY w.unit ${first}`;
  return `SELECT p.id, s.score, ${payload} AS payload FROM (SELECT p.id, s.score FROM (${scored}) s JOIN ${table} p ON p.id = s.unit WHERE ${test} ORDER BY s.score DESC, p.id LIMIT ${most}) s JOIN ${table} p USING (id)`;
}
