/** The passages and documents that a request has loaded, in the form that the embedded retrieval needs. */
import { storedNameShares } from '../../core/fragments/name-weights.ts';
import { catalogDocument, createCatalog } from '../../core/indexes/catalog.ts';
import { createCodeRetriever } from '../../core/indexes/code.ts';
import { createDocumentIndex } from '../../core/indexes/documents.ts';
import { createKeywordRetriever } from '../../core/indexes/keyword.ts';
import type { Ranking, SlotMask } from '../../core/indexes/retriever.ts';
import { createTopK } from '../../core/indexes/top-k.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { KEYWORD_FIELDS } from '../../core/model/ranking-constants.ts';
import { codeQueryTerms } from '../../core/query/code.ts';
import { createEmbeddedRetrieval, type EmbeddedParts } from '../../core/retrieval/embedded-retrieval.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import type { Wanted } from './engine.ts';
import { type DocumentPayload, dimensionOf, type PassagePayload, type PublishedState } from './format.ts';
import { type LoadedUnit, segmentOf } from './segment-words.ts';
import type { WordCounts } from './word-counts.ts';

export type LoadedDocument = Pick<
  DocumentPayload,
  'record' | 'heads' | 'linked' | 'community' | 'lengths' | 'in' | 'names'
>;
export type LoadedPassage = Pick<PassagePayload, 'document' | 'lengths' | 'in' | 'code'>;

/** Returns which payload to read of a passage. `dimensions` are the words of the request. */
export const ofPassage = (dimensions: readonly number[]): Wanted => ({
  keys: ['document', 'lengths', 'code.lengths'],
  dimensions,
});
export const ofDocument = (dimensions: readonly number[]): Wanted => ({
  keys: ['record', 'heads', 'linked', 'community', 'lengths', 'names'],
  dimensions,
});

export interface Loaded {
  readonly documents: Map<number, LoadedDocument>;
  readonly passages: Map<number, LoadedPassage>;
  /** Words of documents, by document number. The best score of a lane is computed from them. */
  readonly whole: Map<number, Pick<LoadedDocument, 'lengths' | 'in'>>;
  /** Slots that pass the restrictions of the request. */
  readonly allowed: Set<number>;
  readonly cosines: Map<number, number>;
  readonly median: number;
}

export const noneLoaded = (): Loaded => ({
  documents: new Map(),
  passages: new Map(),
  whole: new Map(),
  allowed: new Set(),
  cosines: new Map(),
  median: 0,
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

export function loadedDocument({ record }: Pick<DocumentPayload, 'record'>): CatalogDocument {
  return catalogDocument({ ...record, ...record.fields });
}

interface Context {
  readonly state: PublishedState;
  readonly counts: WordCounts;
  readonly round: ReturnType<WordCounts['round']>;
  readonly analyzers: Analyzers | undefined;
}

/** Makes a retrieval over the loaded passages. Its scores use the statistics of the whole collection, as if all were loaded. */
export function retrievalOver(loaded: Loaded, { state, counts, round, analyzers }: Context) {
  const { documents, passages, whole, allowed, cosines, median } = loaded;
  const known = createCatalog();
  for (const [number, { heads, ...document }] of documents)
    known.addDocument(
      loadedDocument(document),
      heads.map((head) => ({ ...head, document: number })),
    );
  const mask = new Uint8Array(Math.max(-1, ...allowed) + 1);
  for (const slot of allowed) mask[slot] = 1;
  const catalog = { ...known, mask: () => mask };
  const { idOf } = catalog;

  const keyword = createKeywordRetriever({ idOf, statistics: round.statistics.keyword });
  const code = createCodeRetriever({ idOf, queryTerms: codeQueryTerms, statistics: round.statistics.code });
  const shares = storedNameShares({
    extensions: new Set(state.extensions),
    idfOf: counts.idfInDocuments,
    weightsOf: (term) => namesWith(term, documents),
  });
  const wholeDocuments = createDocumentIndex({ statistics: round.statistics.documents, shares });
  const units = [...passages].map(([unit, each]): LoadedUnit => ({ unit, ...each }));
  const coded = [...passages].flatMap(([unit, { code }]): readonly LoadedUnit[] =>
    code ? [{ unit, ...code }] : [],
  );
  const bodies = [...whole, ...documents].map(([unit, each]): LoadedUnit => ({ unit, ...each }));
  const unique = new Map(bodies.map((each) => [each.unit, each])).values();
  keyword.load(segmentOf(units, round.terms, true), () => true);
  code.load(segmentOf(coded, round.terms, false), () => true);
  wholeDocuments.load(segmentOf(unique, round.terms, false), () => true);

  const parts: EmbeddedParts = {
    catalog,
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
  };
  return createEmbeddedRetrieval(parts);
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
  const wanted = dimensionOf(term);
  return new Map(
    [...documents].flatMap(([number, { names }]) => {
      const held = names.filter(([, , , ...dimensions]) => dimensions.includes(wanted));
      const weights = held.map(([name, terms, total]) => ({ name, terms, total }));
      return weights.length > 0 ? [[number, weights] as const] : [];
    }),
  );
}
