/** Loads the catalog and the keyword, code and document indexes from the store, and keeps them up to date. */
import { catalogDocument, createCatalog } from '../../core/indexes/catalog.ts';
import { createCodeRetriever } from '../../core/indexes/code.ts';
import { createDocumentIndex } from '../../core/indexes/documents.ts';
import { createKeywordRetriever } from '../../core/indexes/keyword.ts';
import { passageEntries, wholeEntry } from '../../core/indexes/word-entries.ts';
import type { Chunk } from '../../core/model/chunk.ts';
import { RANKING } from '../../core/model/ranking-constants.ts';
import type { DocumentRecord } from '../../core/ports.ts';
import { codeQueryTerms } from '../../core/query/code.ts';
import type { ReadBatch } from '../../core/read-batch.ts';
import { atOnce, type Steps } from '../../core/steps.ts';
import type { SegmentKind, Store } from '../../core/storage.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { savedSegments } from './saved-segments.ts';

/**
 * Raise this number when the analysis of words changes. Segments of another version, or for other languages, are made again from
 * the stored text.
 */
const ANALYSIS_VERSION = '6';

/** Max UTF-16 units of texts analysed together. If the texts of removed documents are longer, `settle` drops their words. */
const MAX_BATCH = 2_000_000;

/** No document and no slot has this number. It marks units of a batch whose documents were not stored. */
const NOWHERE = 0;

export interface IndexedDocument {
  readonly record: DocumentRecord;
  readonly slots: readonly number[];
  readonly chunks: readonly Chunk[];
  /** The whole text, without front matter. */
  readonly text: string;
}

export function analysisOf({ identity }: Analyzers): string {
  return [ANALYSIS_VERSION, identity].filter(Boolean).join(' ');
}

interface LoadOptions {
  /** How words are scored; benchmarks change it. @default as in `RANKING` */
  readonly words?: typeof RANKING.words | undefined;
  /** Whether to read all words to find damage. If false, damage is found when words are read. @default true */
  readonly check?: boolean;
}

export type LoadedIndexes = ReturnType<typeof loadIndexes>;

/**
 * Loads the catalog and the indexes. Documents whose segments are missing or damaged are analysed again from the stored text.
 * Loading then takes longer, but no words are missing.
 */
export function loadIndexes(
  store: Store,
  analyzers: Analyzers,
  { words = RANKING.words, check = true }: LoadOptions = {},
) {
  const analysis = analysisOf(analyzers);
  const catalog = createCatalog();
  const { k1, b } = words;
  const keyword = createKeywordRetriever({ idOf: catalog.idOf, weights: words.fields, k1, b });
  const code = createCodeRetriever({ idOf: catalog.idOf, queryTerms: codeQueryTerms, k1, b });
  const documents = createDocumentIndex({ namesWeight: words.names, k1, b });
  const saved = {
    code: savedSegments(store.segments, 'code', code),
    documents: savedSegments(store.segments, 'documents', documents),
    chunks: savedSegments(store.segments, 'chunks', keyword),
  };
  /** Removed documents whose words are still in segments. */
  let removed: IndexedDocument[] = [];
  let removedLength = 0;
  let isUnloaded = false;

  const whole = ({ record, ...document }: IndexedDocument) =>
    wholeEntry({ ...record, ...document }, analyzers.of(record.collection));
  const passages = ({ record, ...document }: IndexedDocument) =>
    passageEntries({ ...record, ...document }, analyzers.of(record.collection));

  function* forgetRemoved(): Steps<void> {
    const gone = removed;
    [removed, removedLength] = [[], 0];
    yield* documents.forgetInSteps(gone.map(whole));
    yield* keyword.forgetInSteps(gone.flatMap(passages));
  }

  /** Analyses stored documents again and adds them to the indexes for which `isWanted` is true. */
  function* analyseStored(
    numbers: Iterable<number>,
    isWanted: (kind: SegmentKind, number: number) => boolean = () => true,
  ): Steps<void> {
    for (const batch of batches(numbers)) {
      const wantedBy = (kind: SegmentKind) => batch.filter(({ record }) => isWanted(kind, record.number));
      yield* code.addInSteps(wantedBy('code').flatMap(passages));
      yield* documents.addInSteps(wantedBy('documents').map(whole));
      yield* keyword.addInSteps(wantedBy('chunks').flatMap(passages));
    }
  }

  function* batches(numbers: Iterable<number>): Iterable<readonly IndexedDocument[]> {
    let batch: IndexedDocument[] = [];
    let length = 0;
    for (const number of numbers) {
      const record = store.document(number);
      if (!record) continue; // another process has removed the document
      const document = readBack(store, record);
      batch.push(document);
      length += document.text.length;
      if (length < MAX_BATCH) continue;
      yield batch;
      [batch, length] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  }

  /**
   * Analyses documents again if they share a segment with a removed document of unknown text. A killed run may leave such a
   * document.
   */
  function* readBesideUnknown(): Steps<void> {
    const numbers = new Set(documents.unitsBesideUnknown());
    const owners = new Set(keyword.unitsBesideUnknown().map((slot) => catalog.documentOf(slot)!.number));
    const wanted = { code: new Set<number>(), documents: numbers, chunks: owners };
    yield* analyseStored(numbers.union(owners), (kind, number) => wanted[kind].has(number));
  }

  /**
   * Removes a document.
   * @param former the document as `readBack` returned it; if undefined, `flush` analyses the documents in the same segments again
   */
  function remove(number: number, former: IndexedDocument | undefined): void {
    const slots = catalog.slotsOf(number);
    if (former) {
      removed.push(former);
      removedLength += former.text.length;
    }
    catalog.removeDocument(number);
    keyword.remove(slots);
    code.remove(slots);
    documents.remove([number]);
  }

  /** @returns how many documents were analysed again */
  function load(): number {
    const records = new Map([...store.documents()].map((record) => [record.number, record]));
    const stored = store.slotsByDocument();
    for (const [number, record] of records) {
      catalog.addStored(inCatalog(record), stored.get(number) ?? [], store.headsOf);
    }
    const isLive = (slot: number) => catalog.documentOf(slot) !== undefined;
    const current = store.getState('analysis') === analysis;
    const whole = [
      saved.code.load((slot) => current && isLive(slot), check),
      saved.documents.load((number) => current && records.has(number), check),
      saved.chunks.load((slot) => current && isLive(slot), check),
    ].every(Boolean);
    // If any segment is damaged, all documents are analysed again: it is unknown which of them the segment held.
    const isCovered = (slot: number) => current && whole && keyword.has(slot);
    const lacking = [...stored]
      .filter(([number, slots]) => records.has(number) && !slots.every(isCovered))
      .map(([number]) => number);
    atOnce(analyseStored(lacking));
    return lacking.length;
  }

  const analysedAgain = load();
  return {
    /** Number of documents that were analysed again while loading, because their words were missing in the store. */
    repaired: store.segments ? analysedAgain : 0,
    catalog,
    keyword,
    code,
    documents,
    /** Reads the saved words, except those of unloaded segments. @throws DocfuseError `index_busy` if they were replaced, `index_damaged` */
    check() {
      for (const { liveSegments } of [code, documents, keyword])
        for (const segment of liveSegments) segment.check();
    },
    /** Adds a document without its words, which `addWords` adds. */
    put: (record: DocumentRecord, slots: readonly number[]) =>
      catalog.addStored(inCatalog(record), slots, store.headsOf),
    /**
     * Adds the words of documents that were read together. Searches find them immediately.
     * @param numbers numbers of the stored documents, in the order in which they were read. If storing stopped early, the last
     * documents are missing, and their words are dropped
     */
    addWords(words: ReadBatch['words'], numbers: readonly number[], slots: readonly number[]) {
      for (const [index, segment, places] of [
        [code, words.code, slots],
        [documents, words.documents, numbers],
        [keyword, words.chunks, slots],
      ] as const) {
        if (!segment) continue;
        const units = segment.units.map((unit) => places[unit] ?? NOWHERE);
        index.load({ ...segment, units }, (unit) => unit !== NOWHERE);
      }
    },
    /** Drops the words of removed documents if they take much memory. Documents must not be put or removed before it ends. */
    *settle(): Steps<void> {
      if (removedLength > MAX_BATCH) yield* forgetRemoved();
    },
    touch: (record: DocumentRecord) => catalog.updateDocument(inCatalog(record)),
    remove,
    /** Whether an index still holds words of removed documents. */
    holdsRemoved: () => [keyword, code, documents].some((index) => index.holdsRemoved()),
    /**
     * Merges segments if needed and saves them. Documents must not be put or removed before it ends.
     * @param all whether to drop all words of removed documents, even if large segments must be rewritten
     * @param unload whether to unload saved segments until their next use. @default false
     */
    *flush(all: boolean, unload = false): Steps<void> {
      yield* forgetRemoved();
      yield* readBesideUnknown();
      isUnloaded ||= unload; // before saving, which may fail between two segments
      // The keyword index is saved last: if it has the words of a slot, loading assumes that the other two indexes are saved.
      yield* saved.code.save(all, unload);
      yield* saved.documents.save(all, unload);
      yield* saved.chunks.save(all, unload);
      store.setState({ analysis });
    },
    /** Whether saved segments were unloaded, also by a `flush` that failed. They may be loaded again. */
    isUnloaded: () => isUnloaded,
    *readAgain(): Steps<void> {
      yield* analyseStored([...catalog.all()].map(({ number }) => number));
    },
  };
}

export function readBack(store: Store, record: DocumentRecord): IndexedDocument {
  const chunks = store.chunksOf(record.number);
  const text = chunks.map((chunk) => chunk.text.slice(chunk.overlap)).join('');
  return { record, slots: chunks.map((chunk) => chunk.slot), chunks, text };
}

const inCatalog = (record: DocumentRecord) => catalogDocument({ ...record, ...record.fields });
