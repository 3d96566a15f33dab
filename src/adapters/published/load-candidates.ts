/** Loads what a request needs: the best passages of each lane by the engine, and the words that score them exactly. */
import type { RetrievalRequest } from '../../core/retrieval/retrieval.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { looksLikePath, readTypedPath } from '../../core/text/typed-path.ts';
import { DOCUMENTS, IS_SHOWN, isOf, narrowed, PASSAGES } from './conditions.ts';
import type { EditionReader, Found, Search, Selection, Wanted } from './engine.ts';
import { DRAWS, dimensionOf, type PublishedState } from './format.ts';
import {
  addWordless,
  type Loaded,
  type LoadedDocument,
  type LoadedPassage,
  noneLoaded,
  ofDocument,
  ofPassage,
  retrievalOver,
} from './loaded-passages.ts';
import type { Narrowed } from './narrow.ts';
import { readExcluded } from './read-excluded.ts';
import type { SearchedLane, WordCounts } from './word-counts.ts';

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
/** Nothing but the order. */
const NOTHING: Wanted = { keys: [] };

export type LoadedRequest = Awaited<ReturnType<ReturnType<typeof createLoading>['load']>>;

export function createLoading(
  reader: EditionReader,
  state: PublishedState,
  counts: WordCounts,
  analyzers: Analyzers | undefined,
) {
  async function load(request: RetrievalRequest, asked: Narrowed) {
    const { vector: pending, ...worded } = request;
    const round = counts.round();
    const context = { state, counts, round, analyzers };
    // A run over nothing tells which words it asks for.
    await retrievalOver(noneLoaded(), context).retrieve(worded);
    for (const term of asked.terms) round.terms.add(term);
    const [vector] = await Promise.all([pending, round.fill()]);
    const dimensions = [...round.terms].map(dimensionOf);
    const wanted = ofPassage(dimensions);
    const loaded = noneLoaded();
    const { passages, allowed, cosines, whole } = loaded;

    function byWords(lane: SearchedLane, where: Selection, limit: number, wanted: Wanted): readonly Search[] {
      const weights = counts.weightsOf(lane, round.asked[lane]);
      if (!request.lanes.includes(lane) || Object.keys(weights).length === 0) return [];
      return [{ by: { weights }, where, limit, wanted }];
    }
    const byMeaning = (where: Selection, limit: number, wanted: Wanted): readonly Search[] =>
      vector && state.dimensions > 0 && request.lanes.includes('semantic')
        ? [{ by: { vector }, where, limit, wanted }]
        : [];

    function keep(found: readonly Found<LoadedPassage>[], isAllowed: boolean, isCosine: boolean): void {
      for (const { id, score, payload } of found) {
        passages.set(id, payload);
        if (isAllowed) allowed.add(id);
        if (isCosine) cosines.set(id, score);
      }
    }

    /** Runs searches for passages. */
    async function find(
      searches: readonly {
        readonly search: readonly Search[];
        readonly isAllowed: boolean;
        readonly isCosine?: boolean;
      }[],
    ): Promise<void> {
      const kinds = searches.flatMap(({ search, ...kind }) => search.map(() => kind));
      const found = await reader.search<LoadedPassage>(searches.flatMap(({ search }) => search));
      for (const [place, { isAllowed, isCosine = false }] of kinds.entries())
        keep(found[place]!, isAllowed, isCosine);
    }

    /** Loads the first allowed passages of documents found by their names. */
    async function findFirst(numbers: readonly number[]): Promise<void> {
      const most = Math.min(10, request.depth);
      const found = new Set<number>();
      for (let at = 0; at < numbers.length && found.size < most; at += 16) {
        const searches = numbers.slice(at, at + 16).map((number) => ({
          ...{ where: narrowed(asked.passage, [isOf(number), IS_SHOWN]), limit: 1, wanted },
        }));
        for (const first of await reader.search<LoadedPassage>(searches)) {
          keep(first, true, false);
          for (const { payload } of first) found.add(payload.document);
        }
      }
    }

    async function findNamed(): Promise<void> {
      if (!request.lanes.includes('title')) return;
      const { fileName } = looksLikePath(request.query.plain) ? readTypedPath(request.query.plain) : {};
      const typed = fileName === undefined ? [] : [{ key: 'files', any: [fileName] }];
      const found = await reader.search([
        ...typed.map((each) => ({
          ...{ where: narrowed(asked.document, [each]), limit: TITLES, wanted: NOTHING },
        })),
        ...byWords('title', asked.document, TITLES, NOTHING),
      ]);
      await findFirst([...new Set(found.flat().map(({ id }) => id))]);
    }

    /** Loads the words of the documents with the best scores, for those scores. */
    async function findBestDocuments(): Promise<void> {
      const searches = (['document', 'title'] as const).flatMap((lane) =>
        byWords(lane, DOCUMENTS, BEST, { keys: ['lengths'], dimensions }),
      );
      for (const found of await reader.search<Pick<LoadedDocument, 'lengths' | 'in'>>(searches))
        for (const { id, payload } of found) whole.set(id, payload);
    }

    /** Returns the median of a sample of all cosines. */
    async function findMedian(): Promise<number> {
      const below = Math.ceil((DRAWS * SAMPLE) / Math.max(SAMPLE, state.passages.count));
      const sample = narrowed(PASSAGES, [{ key: 'draw', below }]);
      const [found = []] = await reader.search(byMeaning(sample, 2 * SAMPLE, NOTHING));
      const scores = found.map(({ score }) => score).sort((a, b) => a - b);
      const middle = scores.length >> 1;
      if (scores.length === 0) return 0;
      return scores.length % 2 ? scores[middle]! : (scores[middle - 1]! + scores[middle]!) / 2;
    }

    /** Loads the documents of allowed passages, and the cosines that are missing. */
    async function complete(): Promise<void> {
      const numbers = [...new Set([...allowed].map((slot) => passages.get(slot)!.document))];
      const fresh = numbers.filter((number) => !loaded.documents.has(number));
      const unknown = [...allowed].filter((slot) => !cosines.has(slot));
      const subjects = request.lanes.includes('subject') ? fresh : [];
      const [documents, found, excluded] = await Promise.all([
        reader.read<LoadedDocument>('document', fresh, ofDocument(dimensions)),
        reader.search([
          ...(unknown.length > 0
            ? byMeaning(narrowed(PASSAGES, [{ ids: unknown }]), unknown.length, NOTHING)
            : []),
          // What a document is about: the two passages nearest in meaning.
          ...subjects.flatMap((number) => byMeaning(narrowed(PASSAGES, [isOf(number)]), 2, NOTHING)),
        ]),
        readExcluded(reader, asked.excluded, fresh, wanted),
      ]);
      for (const [number, document] of documents) loaded.documents.set(number, document);
      for (const { id, score } of found.flat()) cosines.set(id, score);
      for (const [slot, payload] of excluded) passages.set(slot, payload);
      if (asked.excluded) addWordless(loaded);
    }

    const depth = Math.max(LEAST, MARGIN * request.depth);
    const lanes = ['keyword', 'code'] as const;
    const [median] = await Promise.all([
      findMedian(),
      find([
        ...lanes.map((lane) => ({ search: byWords(lane, asked.passage, depth, wanted), isAllowed: true })),
        ...lanes.map((lane) => ({
          search: byWords(lane, PASSAGES, BEST, wanted),
          isAllowed: !asked.isNarrow,
        })),
        { search: byMeaning(asked.passage, depth, wanted), isAllowed: true, isCosine: true },
        { search: byMeaning(PASSAGES, 1, wanted), isAllowed: !asked.isNarrow, isCosine: true },
      ]),
      findNamed(),
      findBestDocuments(),
    ]);
    await complete();

    const ranked = () => retrievalOver({ ...loaded, median } satisfies Loaded, context);
    return {
      narrowed: asked,
      request: { ...request, ...(vector && { vector }) },
      retrieval: ranked(),
      /** Loads the best allowed passages of documents, and ranks again with them. */
      async extend(numbers: readonly number[]) {
        await find(
          numbers.flatMap((number) => {
            const where = narrowed(asked.passage, [isOf(number)]);
            return [
              { search: byWords('keyword', where, OF_DOCUMENT, wanted), isAllowed: true },
              { search: byMeaning(where, OF_DOCUMENT, wanted), isAllowed: true, isCosine: true },
              { search: [{ where, limit: OF_DOCUMENT, wanted }], isAllowed: true },
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
