/** Reads points of a collection. */
import type { Condition, QdrantConnection, Schemas } from './client.ts';
import { type Conditions, isAnyOf, isKind, toFilter } from './conditions.ts';
import type { LoadedPassage } from './loaded-passages.ts';
import { DENSE, documentId } from './schema.ts';

export type Search = Schemas['QueryRequest'];

export interface FoundPoint<Payload> {
  readonly id: number;
  readonly score: number;
  readonly payload: Payload;
}

export type Points = ReturnType<typeof createPoints>;

const PAGE = 2_000;
/** Searches in a request. */
const MAX_SEARCHES = 64;

export function createPoints({ call }: QdrantConnection, name: string) {
  async function get<Payload>(ids: readonly number[], keys: readonly string[]) {
    if (ids.length === 0) return new Map<number, Payload>();
    const asked = { ids: [...ids], with_payload: [...keys] };
    const found = await call((client) => client.retrieve(name, asked));
    return new Map(found.map(({ id, payload }) => [Number(id), (payload ?? {}) as Payload]));
  }

  /** Yields points in the order of their ids. @param most points to read. @default all */
  async function* pages<Payload>(
    conditions: Conditions,
    keys: readonly string[],
    most = Number.POSITIVE_INFINITY,
  ) {
    let offset: number | undefined;
    for (let read = 0; read < most; read += PAGE) {
      const asked = {
        ...{ filter: toFilter(conditions), limit: PAGE, with_payload: [...keys] },
        ...(offset !== undefined && { offset }),
      };
      const { points, next_page_offset: next } = await call((client) => client.scroll(name, asked));
      yield points.map(({ id, payload }) => ({ id: Number(id), payload: (payload ?? {}) as Payload }));
      if (typeof next !== 'number') return;
      offset = next;
    }
  }

  return {
    /** Returns the payload of points by id; unknown ids are left out. */
    get,
    async documents<Payload>(numbers: readonly number[], keys: readonly string[]) {
      const found = await get<Payload>(numbers.map(documentId), keys);
      return new Map(
        numbers.flatMap((number) => {
          const payload = found.get(documentId(number));
          return payload ? [[number, payload] as const] : [];
        }),
      );
    },
    async vectors(slots: readonly number[]): Promise<ReadonlyMap<number, Float32Array>> {
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
    async count(conditions: Conditions): Promise<number> {
      const filter = toFilter(conditions);
      return (await call((client) => client.count(name, { filter, exact: true }))).count;
    },
    pages,
    /** Returns the passages of documents that hold an excluded word: a section with one of them is not shown. */
    async excluded(
      excluded: readonly Condition[] | undefined,
      numbers: readonly number[],
      keys: readonly string[],
    ): Promise<ReadonlyMap<number, LoadedPassage>> {
      if (!excluded) return new Map();
      const must = [isKind('passage'), isAnyOf('document', numbers), { should: [...excluded] }];
      const found: [number, LoadedPassage][] = [];
      for await (const page of pages<LoadedPassage>({ must, must_not: [] }, keys))
        found.push(...page.map(({ id, payload }): [number, LoadedPassage] => [id, payload]));
      return new Map(found);
    },
    /** Runs searches. The results are in their order. */
    async search<Payload>(searches: readonly Search[]): Promise<readonly (readonly FoundPoint<Payload>[])[]> {
      const groups = Array.from({ length: Math.ceil(searches.length / MAX_SEARCHES) }, (_, group) =>
        searches.slice(group * MAX_SEARCHES, (group + 1) * MAX_SEARCHES),
      );
      const answers = await Promise.all(
        groups.map((group) => call((client) => client.queryBatch(name, { searches: group }))),
      );
      return answers.flat().map(({ points }) =>
        points.map(({ id, score, payload }) => ({
          id: Number(id),
          score,
          payload: (payload ?? {}) as Payload,
        })),
      );
    },
  };
}
