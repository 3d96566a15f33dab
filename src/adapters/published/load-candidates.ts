/** Loads what a request needs: the best passages of each lane, which the engine finds, and the words that score them exactly. */
import type { RetrievalRequest } from '../../core/retrieval/retrieval.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { looksLikePath, readTypedPath } from '../../core/text/typed-path.ts';
import { DOCUMENTS, IS_SHOWN, narrowed, PASSAGES } from './conditions.ts';
import type { EditionReader, Search, Selection } from './engine.ts';
import { DRAWS, dimensionOf, type PublishedState } from './format.ts';
import { hasAll, type KeptDocuments } from './kept-documents.ts';
import {
  addWordless,
  heldBy,
  type LoadedDocument,
  type LoadedPassage,
  noneLoaded,
  ofPassage,
  readExcluded,
  retrievalOver,
} from './loaded-passages.ts';
import type { Narrowed } from './narrow.ts';
import { type RareSearch, searchRareWords } from './rare-words.ts';
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

export type LoadedRequest = Awaited<ReturnType<ReturnType<typeof createLoading>>>;

export function createLoading(
  reader: EditionReader,
  state: PublishedState,
  counts: WordCounts,
  analyzers: Analyzers | undefined,
  kept: KeptDocuments,
) {
  const medianCosine = createMedian(reader, state);

  return async (request: RetrievalRequest, asked: Narrowed) => {
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
    const { passages, allowed, cosines, whole } = loaded;
    const hasMeaning = vector && state.dimensions > 0 && request.lanes.includes('semantic');
    const wanted = ofPassage(dimensions);

    const marginOf = (lane: SearchedLane) =>
      round.asked[lane].some(({ words }) => words.length > 1) ? MARGIN : 1;
    function byWords(lane: SearchedLane, where: Selection, limit: number): readonly RareSearch[] {
      const weights = counts.weightsOf(lane, round.asked[lane]);
      if (!request.lanes.includes(lane) || Object.keys(weights).length === 0) return [];
      return [{ by: { weights }, where, limit }];
    }
    /** Common words are left out only if each term is one word: of several words, each has the weight of the term. */
    const candidates = (lane: SearchedLane, where: Selection, limit: number): readonly RareSearch[] =>
      byWords(lane, where, limit).map((each) => ({ ...each, mayLeaveOut: marginOf(lane) === 1 }));
    const byMeaning = (where: Selection, limit: number): readonly Search[] =>
      hasMeaning ? [{ by: { vector }, where, limit }] : [];

    function add(read: ReadonlyMap<number, LoadedPassage>): void {
      for (const [slot, passage] of read) {
        passages.set(slot, passage);
        if (passage.cosine !== undefined) cosines.set(slot, passage.cosine);
      }
    }

    /**
     * Loads the passages that searches find.
     * @param others searches that find passages which the request may exclude
     * @returns the documents of the passages that `searches` found
     */
    async function find(searches: readonly RareSearch[], others: readonly RareSearch[] = []) {
      const all = [...searches, ...others];
      const { found, payload } = await searchRareWords<LoadedPassage>(reader, all, {
        ...wanted,
        cosine: hasMeaning ? vector : undefined,
      });
      add(payload);
      const documents = new Set<number>();
      for (const { id } of found.slice(0, searches.length).flat()) {
        const passage = passages.get(id);
        // A passage may have been removed meanwhile.
        if (!passage) continue;
        allowed.add(id);
        documents.add(passage.document);
      }
      return documents;
    }

    /** Returns the documents that have the best names for the query. */
    async function findNamed(): Promise<readonly number[]> {
      if (!request.lanes.includes('title')) return [];
      const { fileName } = looksLikePath(request.query.plain) ? readTypedPath(request.query.plain) : {};
      const typed = fileName === undefined ? [] : [{ key: 'files', any: [fileName] }];
      const { found } = await searchRareWords(reader, [
        ...typed.map((each) => ({ where: narrowed(asked.document, [each]), limit: TITLES })),
        ...candidates('title', asked.document, TITLES),
      ]);
      return [...new Set(found.flat().map(({ id }) => id))];
    }

    /** Loads the words of the best documents, to compute the best scores of the document lanes. */
    async function findBestDocuments(): Promise<void> {
      const searches = (['document', 'title'] as const).flatMap((lane) =>
        byWords(lane, DOCUMENTS, BEST * marginOf(lane)),
      );
      const { payload } = await reader.search<Pick<LoadedDocument, 'lengths' | 'in'>>(searches, {
        keys: ['lengths'],
        dimensions,
      });
      for (const [number, words] of payload) whole.set(number, words);
    }

    /**
     * Loads `more` documents and those of the allowed passages, with their passages that hold excluded words.
     * @param areNear whether a search that runs meanwhile finds the two passages of each of `more` that are nearest in meaning
     */
    async function complete(more: readonly number[] = [], areNear = false): Promise<void> {
      const held = heldBy(loaded);
      // A kept document of `more` may lack a passage that is found meanwhile: it is read again afterwards.
      const fresh = [...new Set([...held.keys(), ...more])].filter(
        (number) => !hasAll(loaded.documents.get(number), held.get(number)),
      );
      // The subject lane scores a document by its two passages that are nearest in meaning.
      const subjects = request.lanes.includes('subject') && !areNear ? fresh : [];
      const [documents, words, { found }, excluded] = await Promise.all([
        kept.read(fresh, held),
        reader.read<Pick<LoadedDocument, 'in'>>('document', fresh, { keys: [], dimensions }),
        reader.search(
          subjects.length > 0 ? byMeaning(PASSAGES, 2).map((each) => ({ ...each, of: subjects })) : [],
        ),
        readExcluded(reader, asked.excluded, fresh, wanted),
      ]);
      for (const [number, document] of documents)
        loaded.documents.set(number, { ...document, in: words.get(number)?.in ?? {} });
      // The cosines of loaded passages are more exact: those of whole documents may be of half precision.
      for (const { id, score } of found.flat()) if (!cosines.has(id)) cosines.set(id, score);
      add(excluded);
    }

    /** Loads documents that were found by their names, and allows the first passage of each, until there are enough. */
    async function loadFirsts(named: readonly number[]): Promise<void> {
      const where = narrowed(asked.passage, [IS_SHOWN]);
      let firsts = 0;
      for (let at = 0; at < named.length && firsts < Math.min(10, request.depth); at += 16) {
        const of = named.slice(at, at + 16);
        const [found] = await Promise.all([find([{ where, of, limit: 1 }]), complete(of)]);
        firsts += found.size;
      }
    }

    async function finish() {
      await complete();
      // Only now: no passage with words is on its way, which would be indexed without them.
      if (asked.excluded) addWordless(loaded);
      return ranked(median);
    }

    const lanes = ['keyword', 'code'] as const;
    const [median, , named] = await Promise.all([
      hasMeaning ? medianCosine(vector) : 0,
      find(
        [
          ...lanes.flatMap((lane) => candidates(lane, asked.passage, request.depth * marginOf(lane) + MORE)),
          ...byMeaning(asked.passage, request.depth + MORE),
        ],
        // A score is divided by the best score of all passages, so the best passage is needed even if the request excludes it.
        asked.isNarrow
          ? [
              ...lanes.flatMap((lane) => byWords(lane, PASSAGES, BEST * marginOf(lane))),
              ...byMeaning(PASSAGES, 1),
            ]
          : [],
      ),
      findNamed(),
      findBestDocuments(),
    ]);
    await loadFirsts(named);

    return {
      narrowed: asked,
      request: { ...request, ...(vector && { vector }) },
      retrieval: await finish(),
      /** Loads the best allowed passages of the documents `of`, then returns a retrieval that includes them. */
      async extend(of: readonly number[]) {
        const where = asked.passage;
        const searches = [...byWords('keyword', where, OF_DOCUMENT), ...byMeaning(where, NEAREST)];
        const [reached] = await Promise.all([
          find(searches.map((each) => ({ ...each, of }))),
          complete(of, !asked.isNarrow),
        ]);
        const others = of.filter((number) => !reached.has(number));
        if (others.length > 0) await find([{ where, limit: FIRST, of: others }]);
        return finish();
      },
    };
  };
}

/** Mean size of the sample. */
const SAMPLE = 512;

/** Makes the median of the cosines between a query and a sample of all passages. The sample is read once. */
function createMedian(reader: EditionReader, { passages: { count } }: PublishedState) {
  let sample: ReturnType<typeof read> | undefined;

  async function read(): Promise<readonly Float32Array[]> {
    const below = Math.ceil((DRAWS * SAMPLE) / Math.max(SAMPLE, count));
    const where = narrowed(PASSAGES, [{ key: 'draw', below }]);
    const { found } = await reader.search([{ where, limit: 2 * SAMPLE }]);
    return [...(await reader.vectors(found.flat().map(({ id }) => id))).values()];
  }

  /** @param query unit length */
  return async (query: Float32Array): Promise<number> => {
    sample ??= read();
    const vectors = await sample.catch((error) => {
      sample = undefined;
      throw error;
    });
    const scores = Float64Array.from(vectors, (vector) => dot(vector, query)).sort();
    const middle = scores.length >> 1;
    if (scores.length === 0) return 0;
    return scores.length % 2 ? scores[middle]! : (scores[middle - 1]! + scores[middle]!) / 2;
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}
