/** Reads points of a collection. */
import { isOf, narrowed, PASSAGES } from '../published/conditions.ts';
import type {
  Answers,
  Condition,
  EditionReader,
  Found,
  Search,
  Selection,
  Wanted,
  WantedOfFound,
} from '../published/engine.ts';
import type { QdrantConnection, Schemas } from './client.ts';
import { DENSE, documentId, numberOf, pieceId, toSparse, WORDS_OF } from './layout.ts';

const PAGE = 2_000;
const MAX_SEARCHES = 64;

/** @param exact whether a search compares all vectors, not only those that the graph leads to */
export function readCollection({ call }: QdrantConnection, name: string, exact: boolean): EditionReader {
  function toQuery({ by, where, limit }: Search): Schemas['QueryRequest'] {
    const asked = { filter: toFilter(where), limit, with_payload: false };
    if (!by) return asked;
    if ('vector' in by) {
      const params = { exact: exact || where.all.some((each) => 'ids' in each) };
      return { ...asked, query: [...by.vector], using: DENSE, params };
    }
    const [[using, query] = ['keyword', { indices: [], values: [] }]] = Object.entries(toSparse(by.weights));
    return { ...asked, query, using };
  }

  async function read<Payload>(kind: Selection['kind'], numbers: readonly number[], wanted: Wanted) {
    if (numbers.length === 0) return new Map<number, Payload>();
    const ids = kind === 'document' ? numbers.map(documentId) : [...numbers];
    const found = await call((client) => client.retrieve(name, { ids, with_payload: pathsOf(wanted) }));
    return new Map(found.map(({ id, payload }) => [numberOf(Number(id)), (payload ?? {}) as Payload]));
  }

  async function run(searches: readonly Search[]): Promise<readonly (readonly Found[])[]> {
    // A search with `of` becomes one search for each document.
    const asked = searches.flatMap((search, place) =>
      (search.of?.map((number) => narrowed(search.where, [isOf(number)])) ?? [search.where]).map((where) => ({
        place,
        query: toQuery({ ...search, where }),
      })),
    );
    const groups = Array.from({ length: Math.ceil(asked.length / MAX_SEARCHES) }, (_, group) =>
      asked.slice(group * MAX_SEARCHES, (group + 1) * MAX_SEARCHES).map(({ query }) => query),
    );
    const answers = await Promise.all(
      groups.map((group) => call((client) => client.queryBatch(name, { searches: group }))),
    );
    const found = searches.map((): Found[] => []);
    for (const [at, { points }] of answers.flat().entries())
      for (const { id, score } of points) found[asked[at]!.place]!.push({ id: numberOf(Number(id)), score });
    return found;
  }

  return {
    exactVectors: exact,
    read,
    async *pages<Payload>(where: Selection, wanted: Wanted, most = Number.POSITIVE_INFINITY) {
      let offset: number | undefined;
      for (let read = 0; read < most; read += PAGE) {
        const asked = {
          filter: toFilter(where),
          limit: PAGE,
          with_payload: pathsOf(wanted),
          ...(offset !== undefined && { offset }),
        };
        const { points, next_page_offset: next } = await call((client) => client.scroll(name, asked));
        yield points.map(({ id, payload }) => ({
          id: numberOf(Number(id)),
          payload: (payload ?? {}) as Payload,
        }));
        if (typeof next !== 'number') return;
        offset = next;
      }
    },
    async vectors(slots) {
      if (slots.length === 0) return new Map();
      const asked = { ids: [...slots], with_payload: false, with_vector: [DENSE] };
      const found = await call((client) => client.retrieve(name, asked));
      return new Map(
        found.flatMap(({ id, vector }) => {
          const dense = (vector as Readonly<Record<string, readonly number[]>> | undefined)?.[DENSE];
          return dense ? [[Number(id), Float32Array.from(dense)] as const] : [];
        }),
      );
    },
    async counts(selections) {
      const asked = selections.map((where) => ({ filter: toFilter(where), exact: true }));
      const counted = await Promise.all(asked.map((each) => call((client) => client.count(name, each))));
      return counted.map(({ count }) => count);
    },
    async search<Payload>(searches: readonly Search[], wanted?: WantedOfFound): Promise<Answers<Payload>> {
      const found = await run(searches);
      const ids = [...new Set(found.flat().map(({ id }) => id))];
      if (!wanted || ids.length === 0) return { found, payload: new Map() };
      const { cosine: vector } = wanted;
      const near = searches.flatMap(({ by }, place) =>
        by && 'vector' in by && by.vector === vector ? found[place]! : [],
      );
      const known = new Set(near.map(({ id }) => id));
      const rest = ids.filter((id) => !known.has(id));
      const where = narrowed(PASSAGES, [{ ids: rest }]);
      const [payload, scored] = await Promise.all([
        read<Payload>(searches[0]!.where.kind, ids, wanted),
        run(vector && rest.length > 0 ? [{ by: { vector }, where, limit: rest.length }] : []),
      ]);
      for (const { id, score: cosine } of [...near, ...scored.flat()])
        if (payload.has(id)) payload.set(id, { ...payload.get(id)!, cosine });
      return { found, payload };
    },
    async words(place) {
      const pieces: Buffer[] = [];
      for (let count = 1; pieces.length < count; ) {
        const asked = { ids: [pieceId(place, pieces.length)], with_payload: true };
        const [found] = await call((client) => client.retrieve(name, asked));
        if (!found) return undefined;
        const { bytes, of } = found.payload as { readonly bytes: string; readonly of: number };
        pieces.push(Buffer.from(bytes, 'base64'));
        count = of;
      }
      return Buffer.concat(pieces);
    },
  };
}

function pathsOf({ keys, dimensions = [] }: Wanted): string[] {
  return [...keys, ...dimensions.flatMap((each) => [`in.${each}`, `code.in.${each}`])];
}

/** Converts the conditions of a search to a filter on payload. */
function toFilter({ kind, all, none, some }: Selection): Schemas['Filter'] {
  const write = (each: Condition) => toCondition(each, kind);
  return {
    must: [{ key: 'kind', match: { value: kind } }, ...all.map(write)],
    ...(none.length > 0 && { must_not: none.map(write) }),
    ...(some && { should: some.map(write) }),
  };
}

function toCondition(condition: Condition, kind: Selection['kind']): Schemas['Condition'] {
  const anyOf = (key: string, any: readonly (string | number)[]) => ({
    key,
    match: { any: [...any] as string[] },
  });
  if ('ids' in condition)
    return { has_id: kind === 'document' ? condition.ids.map(documentId) : [...condition.ids] };
  if ('lane' in condition) return anyOf(WORDS_OF[condition.lane], condition.holds);
  if ('any' in condition) return anyOf(condition.key, condition.any);
  const { key, from, below } = condition;
  return {
    key,
    range: { ...(from !== undefined && { gte: from }), ...(below !== undefined && { lt: below }) },
  };
}
