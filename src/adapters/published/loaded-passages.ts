/** The passages and documents that a request has loaded, in the form that the embedded retrieval needs. */
import { storedNameShares } from '../../core/fragments/name-weights.ts';
import { createCatalog } from '../../core/indexes/catalog.ts';
import { createCodeRetriever } from '../../core/indexes/code.ts';
import { documentIndexWith } from '../../core/indexes/documents.ts';
import { createKeywordRetriever } from '../../core/indexes/keyword.ts';
import type { Ranking, SlotMask } from '../../core/indexes/retriever.ts';
import { createTopK } from '../../core/indexes/top-k.ts';
import { KEYWORD_FIELDS } from '../../core/model/ranking-constants.ts';
import { codeQueryTerms } from '../../core/query/code.ts';
import { createEmbeddedRetrieval } from '../../core/retrieval/embedded-retrieval.ts';
import type { Retrieval } from '../../core/retrieval/retrieval.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { isOf, PASSAGES } from './conditions.ts';
import type { Condition, EditionReader, Wanted } from './engine.ts';
import { type DocumentPayload, dimensionOf, type PassagePayload, type PublishedState } from './format.ts';
import type { KeptDocument } from './kept-documents.ts';
import { segmentOf } from './segment-words.ts';
import type { WordCounts } from './word-counts.ts';

export type LoadedDocument = KeptDocument & Pick<DocumentPayload, 'in'>;
export interface LoadedPassage extends Pick<PassagePayload, 'document' | 'lengths' | 'in' | 'code'> {
  readonly cosine?: number;
}

/** Returns which payload to read of a passage. `dimensions` are the words of the request. */
export const ofPassage = (dimensions: readonly number[]): Wanted => ({
  keys: ['document', 'lengths', 'code.lengths'],
  dimensions,
});

type Worded = Pick<LoadedDocument, 'lengths' | 'in'>;

type Loaded = ReturnType<typeof noneLoaded>;

export const noneLoaded = () => ({
  documents: new Map<number, LoadedDocument>(),
  passages: new Map<number, LoadedPassage>(),
  /** Words of documents, by document number. The best score of a lane is computed from them. */
  whole: new Map<number, Worded>(),
  /** Slots that pass the restrictions of the request. */
  allowed: new Set<number>(),
  cosines: new Map<number, number>(),
});

/**
 * Adds the missing passages of the loaded documents, without words. They hold no excluded word: the passages that hold one are
 * already loaded.
 */
export function addWordless({ documents, passages }: Loaded): void {
  for (const [document, { heads }] of documents) {
    for (const { slot } of heads)
      if (!passages.has(slot)) passages.set(slot, { document, lengths: KEYWORD_FIELDS.map(() => 0), in: {} });
  }
}

/** Returns the allowed slots by document. */
export const heldBy = ({ allowed, passages }: Pick<Loaded, 'allowed' | 'passages'>) =>
  Map.groupBy(allowed, (slot) => passages.get(slot)!.document);

interface Context {
  readonly state: PublishedState;
  readonly counts: WordCounts;
  readonly round: ReturnType<WordCounts['round']>;
  readonly analyzers: Analyzers | undefined;
}

/**
 * Makes a function that returns a retrieval over the passages loaded so far. Its scores use the statistics of the whole
 * collection, as if all were loaded.
 */
export function retrievalOver(loaded: Loaded, { state, counts, round, analyzers }: Context) {
  const { documents, passages, whole, allowed, cosines } = loaded;
  const known = createCatalog();
  const { idOf } = known;
  const keyword = createKeywordRetriever({ idOf, statistics: round.statistics.keyword });
  const code = createCodeRetriever({ idOf, queryTerms: codeQueryTerms, statistics: round.statistics.code });
  const shares = storedNameShares({
    extensions: new Set(state.extensions),
    idfOf: counts.idfInDocuments,
    weightsOf: (term) => namesWith(term, documents),
  });
  const wholeDocuments = documentIndexWith(() => shares, { statistics: round.statistics.documents });
  const indexed = { passages: new Set<number>(), documents: new Set<number>(), words: new Set<number>() };

  /** Indexes what was loaded since the last time. */
  function index(): void {
    const units = added(passages, indexed.passages).map(([unit, each]) => ({ unit, ...each }));
    if (units.length > 0) keyword.load(segmentOf(units, round.terms, true), () => true);
    const coded = units.flatMap(({ unit, code: own }) => (own ? [{ unit, ...own }] : []));
    if (coded.length > 0) code.load(segmentOf(coded, round.terms, false), () => true);
    for (const [, { facts, heads }] of added(documents, indexed.documents)) known.addDocument(facts, heads);
    const bodies = [whole, documents].flatMap((each) => added<Worded>(each, indexed.words));
    const worded = bodies.map(([unit, each]) => ({ unit, ...each }));
    if (worded.length > 0) wholeDocuments.load(segmentOf(worded, round.terms, false), () => true);
  }

  return (median = 0): Retrieval => {
    index();
    const mask = new Uint8Array(Math.max(-1, ...allowed) + 1);
    for (const slot of allowed) mask[slot] = 1;
    return createEmbeddedRetrieval({
      catalog: { ...known, mask: () => mask },
      keyword,
      code,
      documents: wholeDocuments,
      ...(analyzers && { analyzers }),
      semantic: {
        add() {},
        remove() {},
        search: (_, k, only) => rankCosines(cosines, k, only ?? mask, idOf, median),
      },
      communityOf: (number) => documents.get(number)?.community,
      readChunks: () => [],
      readTexts: () => [],
      readParents: () => [],
      vectorOf: () => undefined,
    });
  };
}

/** Returns the entries of a map whose keys are not in `known`, and adds these keys to it. */
function added<Value>(map: ReadonlyMap<number, Value>, known: Set<number>) {
  return [...map].filter(([key]) => !known.has(key) && known.add(key));
}

function rankCosines(
  cosines: ReadonlyMap<number, number>,
  k: number,
  mask: SlotMask,
  idOf: (slot: number) => string,
  median: number,
): Ranking {
  const top = createTopK(k, idOf);
  for (const [slot, cosine] of cosines) if (mask[slot] === 1) top.offer(slot, cosine);
  const scoreOf = (slot: number) => cosines.get(slot) ?? 0;
  return {
    lane: 'semantic',
    entries: top.ranked(),
    best: Math.max(...cosines.values()),
    median,
    scoreOf,
    approximateScoreOf: (slot) => Math.max(0, scoreOf(slot)),
  };
}

function namesWith(term: string, documents: Loaded['documents']) {
  const dimension = dimensionOf(term);
  return new Map(
    [...documents].flatMap(([number, { names }]) => {
      const held = names.get(dimension);
      return held ? [[number, held] as const] : [];
    }),
  );
}

/** Reads the passages that hold an excluded word: a section with such a passage is not shown. @param excluded undefined if none is */
export async function readExcluded(
  { pages }: Pick<EditionReader, 'pages'>,
  excluded: readonly Condition[] | undefined,
  numbers: readonly number[],
  wanted: Wanted,
): Promise<ReadonlyMap<number, LoadedPassage>> {
  const found = new Map<number, LoadedPassage>();
  if (!excluded || numbers.length === 0) return found;
  const where = { ...PASSAGES, all: [isOf(...numbers)], some: excluded };
  for await (const page of pages<LoadedPassage>(where, wanted))
    for (const { id, payload } of page) found.set(id, payload);
  return found;
}
