/** Parts of statements: parameters, conditions, and searches. */
import type { Condition, Search, Selection, WantedOfFound } from '../published/engine.ts';
import type { WordLane } from '../published/format.ts';
import { GRAPH_VISITS } from './client.ts';
import { LANE_NUMBERS, type Tables, toInt } from './layout.ts';

export type Parameters = ReturnType<typeof createParameters>;

export function createParameters() {
  const values: unknown[] = [];
  const places = new Map<unknown, string>();
  return {
    values,
    /** @param key an object; calls with the same key and type share a value. @returns the placeholder, such as `$1::bigint` */
    add(value: unknown, type: string, key: unknown = value): string {
      const known = typeof key === 'object' ? places.get(key) : undefined;
      if (known?.endsWith(type)) return known;
      const place = `$${values.push(value)}::${type}`;
      if (typeof key === 'object') places.set(key, place);
      return place;
    },
  };
}

/** Keys at which a row stores a single value. At all other keys, it stores a list. */
const SINGLE: ReadonlySet<string> = new Set(['collection', 'shown']);

/** Returns the condition on a row `p`, as SQL. */
export function testOf({ all, none, some }: Selection, tables: Tables, { add }: Parameters): string {
  function write(condition: Condition): string {
    if ('ids' in condition) return `p.id = ANY(${add(condition.ids, 'bigint[]')})`;
    if ('lane' in condition) {
      const { lane, holds } = condition;
      return `EXISTS (SELECT FROM ${tables.words} w WHERE w.lane = ${LANE_NUMBERS[lane]} AND w.unit = p.id AND w.dimension = ANY(${add(holds.map(toInt), 'int[]')}))`;
    }
    const { key } = condition;
    if ('any' in condition) {
      if (key === 'document') return `p.document = ANY(${add(condition.any, 'bigint[]')})`;
      // One test for each value: the index on `keys` supports `@>` with one value, but not with `ANY`.
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

/** Columns of row `p` that hold a part of the payload. The other parts of a document are in its column `payload`. */
const COLUMNS: Readonly<Record<string, string>> = {
  document: 'p.document',
  chunk: 'p.chunk',
  lengths: 'p.lengths',
  'code.lengths': 'p.coded',
};

/**
 * Returns the statement that reads the payload of found rows, as a JSON array: the payload at `keys`, the cosine, then occurrences
 * of `dimensions` in text and in code.
 * @param found SQL with the columns `id` and `scores`
 */
export function withPayload(
  found: string,
  kind: Selection['kind'],
  { keys, dimensions = [], cosine }: WantedOfFound,
  tables: Tables,
  { add }: Parameters,
): string {
  const stored = keys.filter((key) => !COLUMNS[key]);
  const values = keys.map((key) => COLUMNS[key] ?? `o.${key}`);
  if (cosine) values.push(`-(p.vector::vector <#> ${add(`[${cosine.join()}]`, 'vector', cosine)})`);
  // Reads each word for all rows at once: one look-up for each row and word takes four times as long.
  const join = (lanes: readonly WordLane[]) => {
    const numbers = lanes.map((lane) => LANE_NUMBERS[lane]);
    const of = numbers.map(
      (lane) =>
        `json_object_agg(w.dimension & 4294967295, w.held) FILTER (WHERE w.lane = ${lane}) AS lane${lane}`,
    );
    values.push(...numbers.map((lane) => `h.lane${lane}`));
    return ` LEFT JOIN (SELECT w.unit, ${of.join(', ')} FROM ${tables.words} w WHERE w.lane IN (${numbers.join()})
      AND w.dimension = ANY(${add(dimensions.map(toInt), 'int[]', dimensions)}) AND w.unit = ANY(ARRAY(SELECT id FROM found)) GROUP BY w.unit) h ON h.unit = p.id`;
  };
  const words = dimensions.length === 0 ? '' : join(kind === 'passage' ? ['keyword', 'code'] : ['document']);
  // An operator on a stored value would unpack it each time. A record of all wanted fields unpacks it once.
  const record = `jsonb_to_record(p.payload) o (${stored.map((key) => `"${key}" jsonb`).join(', ')})`;
  return `WITH found AS MATERIALIZED (${found}) SELECT p.id::float8 AS id, found.scores, json_build_array(${values.join(', ')}) AS payload
    FROM found JOIN ${tables[kind]} p USING (id)${words}${stored.length > 0 ? ` CROSS JOIN LATERAL ${record}` : ''}`;
}

/** Makes a payload from the array that `withPayload` describes. */
export function readPayload<Payload>(
  values: readonly unknown[] | null,
  { keys, dimensions, cosine }: WantedOfFound,
): Payload {
  const payload: Record<string, unknown> = {};
  const paths = [...keys, ...(cosine ? ['cosine'] : []), ...(dimensions ? ['in', 'code.in'] : [])];
  for (const [place, path] of paths.entries()) {
    const value = values?.[place];
    if (value === null || value === undefined) continue;
    const [name, part] = path.split('.') as [string, string | undefined];
    payload[name] = part === undefined ? value : { ...(payload[name] as object), [part]: value };
  }
  return payload as Payload;
}

/** Returns the SQL of a search, with the columns `id` and `score`. @param hasGraph as in `readEdition` */
export function searchOf(search: Search, tables: Tables, hasGraph: boolean, parameters: Parameters): string {
  const { where, limit, by, of } = search;
  const { add } = parameters;
  const table = tables[where.kind];
  const most = Math.trunc(limit);
  const owned = of && `p.document = ANY(${add(of, 'bigint[]', of)})`;
  const test = [...(owned ? [owned] : []), testOf(where, tables, parameters)].join(' AND ');
  // OFFSET 0 computes each score once, and sorts no vectors.
  const ordered = (score: string, order: string, from: string) =>
    of
      ? `SELECT r.id, r.score FROM (SELECT s.id, s.score, row_number() OVER (PARTITION BY s.document ORDER BY s.score DESC, s.id) AS place FROM (SELECT p.id, p.document, ${score} AS score FROM ${from} OFFSET 0) s) r WHERE r.place <= ${most}`
      : `SELECT p.id, ${score} AS score FROM ${from} ORDER BY ${order} LIMIT ${most}`;

  if (!by) return ordered('0::float8', 'p.id', `${table} p WHERE ${test}`);
  if ('vector' in by) {
    const query = add(`[${by.vector.join()}]`, 'vector', by.vector);
    const half = `p.vector <#> ${query}::halfvec`;
    // A graph search with few allowed passages would walk the whole graph.
    const isExact = !hasGraph || of || where.all.some((each) => 'ids' in each);
    const from = isExact
      ? `${table} p WHERE p.vector IS NOT NULL AND ${test}`
      : `(SELECT p.id, p.vector FROM ${table} p WHERE ${test} ORDER BY ${half} LIMIT ${Math.min(2 * most, Math.max(GRAPH_VISITS, Math.ceil(1.1 * most)))}) p`;
    // Documents have many passages to compare: there, a question in half precision is close enough.
    const product = of ? half : `p.vector::vector <#> ${query}`;
    return ordered(`-(${product})`, `${product}, p.id`, from);
  }
  const rows = Object.entries(by.weights).flatMap(([lane, words]) =>
    [...words].map(([word, weight]) => [LANE_NUMBERS[lane as WordLane], toInt(word), weight] as const),
  );
  const [lanes, words, weights] = [0, 1, 2].map((at) => rows.map((row) => row[at]));
  const asked = `unnest(${add(lanes, 'smallint[]')}, ${add(words, 'int[]')}, ${add(weights, 'float8[]')}) q (lane, dimension, weight)`;
  const scored = (inside: string) =>
    `SELECT w.unit AS id, sum(w.weight * q.weight) AS score FROM ${asked} JOIN ${tables.words} w USING (lane, dimension) ${inside} GROUP BY w.unit`;
  if (test === 'true') return `${scored('')} ORDER BY 2 DESC, 1 LIMIT ${most}`;
  if (!owned)
    return ordered(
      's.score',
      's.score DESC, p.id',
      `(${scored('')}) s JOIN ${table} p USING (id) WHERE ${test}`,
    );
  const own = `(WITH own AS MATERIALIZED (SELECT p.id, p.document FROM ${table} p WHERE ${test}) SELECT own.id, own.document, s.score FROM (${scored('WHERE w.unit = ANY(ARRAY(SELECT id FROM own))')}) s JOIN own USING (id)) p`;
  return ordered('p.score', '', own);
}
