/** Loads what a request needs: the best passages of each lane, which the engine finds, and the words that score them exactly. */
import type { RetrievalRequest } from '../../core/retrieval/retrieval.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { looksLikePath, readTypedPath } from '../../core/text/typed-path.ts';
import { DOCUMENTS, IS_SHOWN, narrowed, PASSAGES } from './conditions.ts';
import type { EditionReader, Search, Selection, Wanted } from './engine.ts';
import { dimensionOf, type PublishedState } from './format.ts';
import type { KeptDocuments } from './kept-documents.ts';
import {
  addWordless,
  heldBy,
  type LoadedDocument,
  type LoadedPassage,
  noneLoaded,
  ofPassage,
  retrievalOver,
} from './loaded-passages.ts';
import { createMedian } from './median-cosine.ts';
import type { Narrowed } from './narrow.ts';
import { type RareSearch, searchRareWords } from './rare-words.ts';
import { readExcluded } from './read-excluded.ts';
import type { SearchedLane, WordCounts } from './word-counts.ts';

/** More passages are scored than requested: stored weights may be older, and the engine orders equal scores by slot. */
const MORE = 32;
/** How many times as many if several words count as one term, such as those of a prefix: the engine adds up their weights. */
const MARGIN = 4;
/** Passages or documents that are loaded from the whole collection, to compute the best score of a lane. */
const BEST = 16;
/** Max documents that are found by their names. */
const TITLES = 64;
/** Max passages of a linked document by words. */
const OF_DOCUMENT = 8;
/** If words and meaning find no passage of a linked document: max of its first passages. */
const FIRST = 8;
/** Max passages of a linked document by meaning. */
const NEAREST = 2;
/** Reads no payload: only ids and scores. */
const NOTHING: Wanted = { keys: [] };

export type LoadedRequest = Awaited<ReturnType<ReturnType<typeof createLoading>['load']>>;

export function createLoading(
  reader: EditionReader,
  state: PublishedState,
  counts: WordCounts,
  analyzers: Analyzers | undefined,
  kept: KeptDocuments,
) {
  const medianCosine = createMedian(reader, state);

  async function load(request: RetrievalRequest, asked: Narrowed) {
    const { vector: pending, ...worded } = request;
    const round = counts.round();
    const context = { state, counts, round, analyzers };
    const loaded = noneLoaded();
    const ranked = retrievalOver(loaded, context);
    // Run once without passages, to record which words the request asks for.
    await ranked().retrieve(worded);
    for (const term of asked.terms) round.terms.add(term);
    const [vector] = await Promise.all([pending, round.fill()]);
    const dimensions = [...round.terms].map(dimensionOf);
    const wanted = ofPassage(dimensions);
    const { passages, allowed, cosines, whole } = loaded;

    const marginOf = (lane: SearchedLane) =>
      round.asked[lane].some(({ words }) => words.length > 1) ? MARGIN : 1;
    function byWords(
      lane: SearchedLane,
      where: Selection,
      limit: number,
      wanted: Wanted,
    ): readonly RareSearch[] {
      const weights = counts.weightsOf(lane, round.asked[lane]);
      if (!request.lanes.includes(lane) || Object.keys(weights).length === 0) return [];
      return [{ by: { weights }, where, limit, wanted }];
    }
    /** Common words are left out only if each term is one word: of several words, each has the weight of the term. */
    const candidates = (lane: SearchedLane, where: Selection, limit: number): readonly RareSearch[] =>
      byWords(lane, where, limit, NOTHING).map((each) => ({ ...each, mayLeaveOut: marginOf(lane) === 1 }));
    const byMeaning = (where: Selection, limit: number, wanted: Wanted): readonly Search[] =>
      vector && state.dimensions > 0 && request.lanes.includes('semantic')
        ? [{ by: { vector }, where, limit, wanted }]
        : [];

    /** Runs searches for passages, and loads those that are not loaded yet. @returns the documents of what was found */
    async function find(
      searches: readonly {
        readonly search: readonly RareSearch[];
        readonly isAllowed: boolean;
        readonly isCosine?: boolean;
      }[],
    ): Promise<ReadonlySet<number>> {
      const kinds = searches.flatMap(({ search, ...kind }) => search.map(() => kind));
      const found = await searchRareWords(
        reader,
        searches.flatMap(({ search }) => search),
      );
      const fresh = new Set(found.flat().flatMap(({ id }) => (passages.has(id) ? [] : [id])));
      const loaded = await reader.read<LoadedPassage>('passage', [...fresh], wanted);
      for (const [slot, payload] of loaded) passages.set(slot, payload);
      const documents = new Set<number>();
      for (const [place, { isAllowed, isCosine = false }] of kinds.entries()) {
        for (const { id, score } of found[place]!) {
          // A passage may have been removed meanwhile.
          if (!passages.has(id)) continue;
          if (isAllowed) allowed.add(id);
          if (isCosine && !cosines.has(id)) cosines.set(id, score);
          documents.add(passages.get(id)!.document);
        }
      }
      return documents;
    }

    /** Loads the first allowed passage of each document that was found by its names, until there are enough. */
    async function findFirst(numbers: readonly number[]): Promise<void> {
      const most = Math.min(10, request.depth);
      const found = new Set<number>();
      for (let at = 0; at < numbers.length && found.size < most; at += 16) {
        const where = narrowed(asked.passage, [IS_SHOWN]);
        const of = numbers.slice(at, at + 16);
        const [firsts = []] = await reader.search<LoadedPassage>([{ where, of, limit: 1, wanted }]);
        for (const { id, payload } of firsts) {
          passages.set(id, payload);
          allowed.add(id);
          found.add(payload.document);
        }
      }
    }

    async function findNamed(): Promise<void> {
      if (!request.lanes.includes('title')) return;
      const { fileName } = looksLikePath(request.query.plain) ? readTypedPath(request.query.plain) : {};
      const typed = fileName === undefined ? [] : [{ key: 'files', any: [fileName] }];
      const found = await searchRareWords(reader, [
        ...typed.map((each) => ({
          where: narrowed(asked.document, [each]),
          limit: TITLES,
          wanted: NOTHING,
        })),
        ...candidates('title', asked.document, TITLES),
      ]);
      await findFirst([...new Set(found.flat().map(({ id }) => id))]);
    }

    /** Loads the words of the best documents, to compute the best scores of the document lanes. */
    async function findBestDocuments(): Promise<void> {
      const searches = (['document', 'title'] as const).flatMap((lane) =>
        byWords(lane, DOCUMENTS, BEST * marginOf(lane), { keys: ['lengths'], dimensions }),
      );
      for (const found of await reader.search<Pick<LoadedDocument, 'lengths' | 'in'>>(searches))
        for (const { id, payload } of found) whole.set(id, payload);
    }

    /** Loads the documents of the allowed passages, missing cosines, and passages with excluded words. */
    async function complete(): Promise<void> {
      const numbers = [...new Set([...allowed].map((slot) => passages.get(slot)!.document))];
      const fresh = numbers.filter((number) => !loaded.documents.has(number));
      const unknown = [...allowed].filter((slot) => !cosines.has(slot));
      const subjects = request.lanes.includes('subject') ? fresh : [];
      const [documents, words, found, excluded] = await Promise.all([
        kept.read(fresh, heldBy(loaded)),
        reader.read<Pick<LoadedDocument, 'in'>>('document', fresh, { keys: [], dimensions }),
        reader.search([
          ...(unknown.length > 0
            ? byMeaning(narrowed(PASSAGES, [{ ids: unknown }]), unknown.length, NOTHING)
            : []),
          // The subject lane scores a document by its two passages that are nearest in meaning.
          ...(subjects.length > 0
            ? byMeaning(PASSAGES, 2, NOTHING).map((each) => ({ ...each, of: subjects }))
            : []),
        ]),
        readExcluded(reader, asked.excluded, fresh, wanted),
      ]);
      for (const [number, document] of documents)
        loaded.documents.set(number, { ...document, in: words.get(number)?.in ?? {} });
      // Cosines that are known are more exact: those of whole documents may be of half precision.
      for (const { id, score } of found.flat()) if (!cosines.has(id)) cosines.set(id, score);
      for (const [slot, payload] of excluded) passages.set(slot, payload);
      if (asked.excluded) addWordless(loaded);
    }

    const depth = request.depth + MORE;
    const depthOf = (lane: SearchedLane) => request.depth * marginOf(lane) + MORE;
    const lanes = ['keyword', 'code'] as const;
    const everywhere = [
      ...lanes.map((lane) => ({
        search: byWords(lane, PASSAGES, BEST * marginOf(lane), NOTHING),
        isAllowed: false,
      })),
      { search: byMeaning(PASSAGES, 1, NOTHING), isAllowed: false, isCosine: true },
    ];
    const [median] = await Promise.all([
      byMeaning(PASSAGES, 1, NOTHING).length > 0 ? medianCosine(vector!) : 0,
      find([
        ...lanes.map((lane) => ({
          search: candidates(lane, asked.passage, depthOf(lane)),
          isAllowed: true,
        })),
        { search: byMeaning(asked.passage, depth, NOTHING), isAllowed: true, isCosine: true },
        // A score is divided by the best score of all passages, so the best passage is needed even if the request excludes it.
        ...(asked.isNarrow ? everywhere : []),
      ]),
      findNamed(),
      findBestDocuments(),
    ]);
    await complete();

    return {
      narrowed: asked,
      request: { ...request, ...(vector && { vector }) },
      retrieval: ranked(median),
      /** Loads the best allowed passages of the documents `of`, then returns a retrieval that includes them. */
      async extend(of: readonly number[]) {
        const ofEach = (searches: readonly Search[]) => searches.map((each) => ({ ...each, of }));
        const where = asked.passage;
        const reached = await find([
          { search: ofEach(byWords('keyword', where, OF_DOCUMENT, NOTHING)), isAllowed: true },
          { search: ofEach(byMeaning(where, NEAREST, NOTHING)), isAllowed: true, isCosine: true },
        ]);
        const others = of.filter((number) => !reached.has(number));
        if (others.length > 0)
          await find([{ search: [{ where, limit: FIRST, wanted: NOTHING, of: others }], isAllowed: true }]);
        await complete();
        return ranked(median);
      },
    };
  }

  return { load };
}
