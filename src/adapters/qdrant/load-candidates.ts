/** Loads what a request needs: the best passages of each lane by Qdrant's vectors, and the words that score them exactly. */
import type { RetrievalRequest } from '../../core/retrieval/retrieval.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { looksLikePath, readTypedPath } from '../../core/text/typed-path.ts';
import { both, type Conditions, IS_SHOWN, isAnyOf, isKind, toFilter } from './conditions.ts';
import {
  addWordless,
  documentKeys,
  type Loaded,
  type LoadedDocument,
  type LoadedPassage,
  noneLoaded,
  passageKeys,
  retrievalOver,
} from './loaded-passages.ts';
import type { Narrowed } from './narrow.ts';
import type { Points, Search } from './points.ts';
import { DENSE, DRAWS, dimensionOf, documentOfId, type PublishedState, type SparseName } from './schema.ts';
import type { WordCounts } from './word-counts.ts';

/** Stored weights are of the averages at the time of publication: more passages are scored exactly than are wanted. */
const LEAST = 64;
const MARGIN = 4;
/** Best passages of all, from which the best score of a lane is computed. */
const BEST = 64;
/** Passages whose cosines tell the median. */
const SAMPLE = 512;
/** Documents found by their names. */
const TITLES = 64;
/** Of each linked document, passages by words, by meaning and in order of the text. */
const OF_DOCUMENT = 8;
/** Up to this many passages, all vectors are compared. */
export const EXACT_PASSAGES = 100_000;

export type LoadedRequest = Awaited<ReturnType<ReturnType<typeof createLoading>['load']>>;

export function createLoading(
  points: Points,
  state: PublishedState,
  counts: WordCounts,
  analyzers: Analyzers | undefined,
) {
  const params = { exact: state.passages.count <= EXACT_PASSAGES };

  async function load(request: RetrievalRequest, narrowed: Narrowed) {
    const { vector: pending, ...worded } = request;
    const round = counts.round();
    const context = { state, counts, round, analyzers };
    // A run over nothing tells which words it asks for.
    await retrievalOver(noneLoaded(), context).retrieve(worded);
    for (const term of narrowed.terms) round.terms.add(term);
    const [vector] = await Promise.all([pending, round.fill()]);
    const dimensions = [...round.terms].map(dimensionOf);
    const keys = passageKeys(dimensions);
    const loaded = noneLoaded();
    const { passages, allowed, cosines, whole } = loaded;
    const everywhere: Conditions = { must: [isKind('passage')], must_not: [] };

    const byWords = (
      lane: SparseName,
      conditions: Conditions,
      limit: number,
      with_payload: readonly string[],
    ) => {
      const query = counts.sparseQuery(lane, round.asked[lane]);
      if (!request.lanes.includes(lane) || query.indices.length === 0) return [];
      return [{ query, using: lane, filter: toFilter(conditions), limit, with_payload: [...with_payload] }];
    };
    const byMeaning = (conditions: Conditions, limit: number, with_payload: readonly string[] | false) =>
      vector && state.dimensions > 0 && request.lanes.includes('semantic')
        ? [{ query: [...vector], using: DENSE, filter: toFilter(conditions), limit, params, with_payload }]
        : [];

    function keep(
      found: readonly { readonly id: number; readonly score: number; readonly payload: LoadedPassage }[],
      isAllowed: boolean,
      isCosine: boolean,
    ): void {
      for (const { id, score, payload } of found) {
        passages.set(id, payload);
        if (isAllowed) allowed.add(id);
        if (isCosine) cosines.set(id, score);
      }
    }

    /** Runs searches for passages. */
    async function find(
      searches: readonly {
        readonly search: readonly unknown[];
        readonly isAllowed: boolean;
        readonly isCosine?: boolean;
      }[],
    ): Promise<void> {
      const kinds = searches.flatMap(({ search, ...kind }) => search.map(() => kind));
      const found = await points.search<LoadedPassage>(searches.flatMap(({ search }) => search as Search[]));
      for (const [place, { isAllowed, isCosine = false }] of kinds.entries())
        keep(found[place]!, isAllowed, isCosine);
    }

    /** Loads the first allowed passages of documents found by their names. */
    async function findFirst(numbers: readonly number[]): Promise<void> {
      const most = Math.min(10, request.depth);
      const found = new Set<number>();
      for (let at = 0; at < numbers.length && found.size < most; at += 16) {
        const searches = numbers.slice(at, at + 16).map((number) => ({
          filter: toFilter(
            both(narrowed.passage, {
              must: [{ key: 'document', match: { value: number } }, IS_SHOWN],
            }),
          ),
          ...{ limit: 1, with_payload: keys },
        }));
        for (const first of await points.search<LoadedPassage>(searches)) {
          keep(first, true, false);
          for (const { payload } of first) found.add(payload.document);
        }
      }
    }

    async function findNamed(): Promise<void> {
      if (!request.lanes.includes('title')) return;
      const [found = []] = await points.search(byWords('title', narrowed.document, TITLES, []));
      const numbers = found.map(({ id }) => documentOfId(id));
      await findFirst([...(await typedDocuments()), ...numbers]);
    }

    async function typedDocuments(): Promise<readonly number[]> {
      const { fileName } = looksLikePath(request.query.plain) ? readTypedPath(request.query.plain) : {};
      if (fileName === undefined) return [];
      const filter = both(narrowed.document, { must: [isAnyOf('files', [fileName])] });
      for await (const page of points.pages(filter, [], TITLES))
        return page.map(({ id }) => documentOfId(id));
      return [];
    }

    /** Loads the words of the documents with the best scores, for those scores. */
    async function findBestDocuments(): Promise<void> {
      const documents: Conditions = { must: [isKind('document')], must_not: [] };
      const wanted = ['lengths', ...dimensions.map((each) => `in.${each}`)];
      const searches = (['document', 'title'] as const).flatMap((lane) =>
        byWords(lane, documents, BEST, wanted),
      );
      for (const found of await points.search<Pick<LoadedDocument, 'lengths' | 'in'>>(searches))
        for (const { id, payload } of found) whole.set(documentOfId(id), payload);
    }

    /** Returns the median of a sample of all cosines. */
    async function findMedian(): Promise<number> {
      const limit = Math.ceil((DRAWS * SAMPLE) / Math.max(SAMPLE, state.passages.count));
      const sample = both(everywhere, { must: [{ key: 'draw', range: { lt: limit } }] });
      const [found = []] = await points.search(byMeaning(sample, 2 * SAMPLE, false) as Search[]);
      const scores = found.map(({ score }) => score).sort((a, b) => a - b);
      const middle = scores.length >> 1;
      if (scores.length === 0) return 0;
      return scores.length % 2 ? scores[middle]! : (scores[middle - 1]! + scores[middle]!) / 2;
    }

    /** Loads the documents of allowed passages, and the cosines that are missing. */
    async function complete(): Promise<void> {
      const numbers = [...new Set([...allowed].map((slot) => passages.get(slot)!.document))];
      const fresh = numbers.filter((number) => !loaded.documents.has(number));
      const isAsked = (number: number) => ({ must: [{ key: 'document', match: { value: number } }] });
      const unknown = [...allowed].filter((slot) => !cosines.has(slot));
      const subjects = request.lanes.includes('subject') ? fresh : [];
      const [documents, found, excluded] = await Promise.all([
        points.documents<LoadedDocument>(fresh, documentKeys(dimensions)),
        points.search([
          ...(unknown.length > 0
            ? byMeaning(both(everywhere, { must: [{ has_id: unknown }] }), unknown.length, false)
            : []),
          // What a document is about: the two passages nearest in meaning.
          ...subjects.flatMap((number) => byMeaning(both(everywhere, isAsked(number)), 2, false)),
        ] as Search[]),
        points.excluded(narrowed.excluded, fresh, keys),
      ]);
      for (const [number, document] of documents) loaded.documents.set(number, document);
      for (const { id, score } of found.flat()) cosines.set(id, score);
      for (const [slot, payload] of excluded) passages.set(slot, payload);
      if (narrowed.excluded) addWordless(loaded);
    }

    const depth = Math.max(LEAST, MARGIN * request.depth);
    const lanes = ['keyword', 'code'] as const;
    const [median] = await Promise.all([
      findMedian(),
      find([
        ...lanes.map((lane) => ({ search: byWords(lane, narrowed.passage, depth, keys), isAllowed: true })),
        ...lanes.map((lane) => ({
          search: byWords(lane, everywhere, BEST, keys),
          isAllowed: !narrowed.isNarrow,
        })),
        { search: byMeaning(narrowed.passage, depth, keys), isAllowed: true, isCosine: true },
        { search: byMeaning(everywhere, 1, keys), isAllowed: !narrowed.isNarrow, isCosine: true },
      ]),
      findNamed(),
      findBestDocuments(),
    ]);
    await complete();

    const ranked = () => retrievalOver({ ...loaded, median } satisfies Loaded, context);
    return {
      narrowed,
      request: { ...request, ...(vector && { vector }) },
      retrieval: ranked(),
      /** Loads the best allowed passages of documents, and ranks again with them. */
      async extend(numbers: readonly number[]) {
        await find(
          numbers.flatMap((number) => {
            const own = both(narrowed.passage, { must: [{ key: 'document', match: { value: number } }] });
            return [
              { search: byWords('keyword', own, OF_DOCUMENT, keys), isAllowed: true },
              { search: byMeaning(own, OF_DOCUMENT, keys), isAllowed: true, isCosine: true },
              {
                search: [{ filter: toFilter(own), limit: OF_DOCUMENT, with_payload: keys }],
                isAllowed: true,
              },
            ];
          }),
        );
        await complete();
        return ranked();
      },
    };
  }

  return { load };
}
