/** What search needs in memory, all of it derived from the store: the catalog and the four indexes. */
import { chunkHead } from '../../core/chunk/chunk-head.ts';
import { type Catalog, type CatalogDocument, createCatalog } from '../../core/indexes/catalog.ts';
import { type CodeRetriever, createCodeRetriever } from '../../core/indexes/code.ts';
import { createDocumentIndex, type DocumentIndex } from '../../core/indexes/documents.ts';
import { createKeywordRetriever, type KeywordRetriever } from '../../core/indexes/keyword.ts';
import type { IndexEntry } from '../../core/indexes/retriever.ts';
import type { Chunk } from '../../core/model/chunk.ts';
import { documentNames } from '../../core/model/document-names.ts';
import { RANKING } from '../../core/model/ranking-constants.ts';
import type { DocumentRecord, NewDocument } from '../../core/ports.ts';
import { codeQueryTerms } from '../../core/query/code.ts';
import { keepPassageFacts } from '../../core/search/keep-passage-facts.ts';
import type { SearchServices } from '../../core/search/state.ts';
import { atOnce, type Steps } from '../../core/steps.ts';
import type { Store } from '../../core/storage.ts';
import type { Analyzer, Analyzers } from '../../core/text/analyzer.ts';
import { documentTime } from '../../core/text/dates.ts';
import { savedSegments } from './saved-segments.ts';

/** Raise it when the analysis of words changes: segments made by other rules, or for other languages, are then made anew from the text. */
const ANALYSIS_VERSION = '4';

/** Text of this many UTF-16 units is gathered before it becomes segments. */
const MAX_PENDING = 2_000_000;

/** A document with everything the indexes take in. */
export interface IndexedDocument {
  readonly record: DocumentRecord;
  readonly slots: readonly number[];
  readonly chunks: readonly Chunk[];
  /** The whole body. */
  readonly text: string;
}

export interface Memory {
  readonly catalog: Catalog;
  readonly keyword: KeywordRetriever;
  readonly code: CodeRetriever;
  readonly documents: DocumentIndex;
  /** Of passages, kept once they were asked for. */
  readonly passageFacts: Pick<SearchServices, 'sketchOf' | 'firstLineOf'>;
  /** How many documents were analysed again while loading, because their words were not found where they are kept. */
  readonly repaired: number;
  /** Takes in one more document; it can be found after the next `flush`. */
  put(document: IndexedDocument & Pick<NewDocument, 'contents'>): void;
  /** Makes segments of what was put if that is much, so that memory does not grow with files. Nothing may be put or removed before it ends. */
  settle(): Steps<void>;
  /** Takes over a new file time; the content is the same. */
  touch(record: DocumentRecord): void;
  /** Forgets a document. */
  remove(number: number): void;
  /** Makes segments of what was put and lets the store keep them. Nothing may be put or removed before it ends. */
  flush(): Steps<void>;
}

/**
 * Loads an index.
 * Documents whose segments were never written (a run was stopped, a row is damaged) are analysed again from the
 * stored text: words are never missing, only late.
 * @param words how they are scored, for a bench
 */
export function loadMemory(store: Store, analyzers: Analyzers, words = RANKING.words): Memory {
  const analysis = [ANALYSIS_VERSION, analyzers.identity].filter(Boolean).join(' ');
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
  let pending: IndexedDocument[] = [];
  let pendingLength = 0;

  function analyzerOf({ record }: IndexedDocument): Analyzer {
    return analyzers.of(record.collection);
  }

  function gather(document: IndexedDocument): void {
    pending.push(document);
    pendingLength += document.text.length;
  }

  function* settle(): Steps<void> {
    if (pendingLength > MAX_PENDING) yield* buildPending();
  }

  function* buildPending(): Steps<void> {
    pendingLength = 0;
    if (pending.length === 0) return;
    const entries = pending.flatMap((document) => entriesOf(document, analyzerOf(document)));
    yield* code.addInSteps(entries);
    yield* documents.addInSteps(
      pending.map((document) => ({
        number: document.record.number,
        names: documentNames({ ...document.record.fields, path: document.record.path }),
        text: document.text,
        analyzer: analyzerOf(document),
      })),
    );
    yield* keyword.addInSteps(entries);
    pending = [];
  }

  function remove(number: number): void {
    const slots = catalog.slotsOf(number);
    pending = pending.filter(({ record }) => record.number !== number);
    catalog.removeDocument(number);
    keyword.remove(slots);
    code.remove(slots);
    documents.remove([number]);
  }

  /** @returns how many documents were analysed again */
  function load(): number {
    const records = new Map([...store.documents()].map((record) => [record.number, record]));
    const heads = Map.groupBy(store.chunkHeads(), (head) => head.document);
    for (const record of records.values()) {
      catalog.addDocument(catalogDocument(record), heads.get(record.number) ?? []);
    }
    const isLive = (slot: number) => catalog.documentOf(slot) !== undefined;
    const current = store.getState('analysis') === analysis;
    const whole = [
      saved.code.load((slot) => current && isLive(slot)),
      saved.documents.load((number) => current && records.has(number)),
      saved.chunks.load((slot) => current && isLive(slot)),
    ].every(Boolean);
    // One damaged segment of any kind and all is analysed again: what it held is not known.
    const covered = new Set(
      current && whole ? keyword.segments().flatMap((segment) => [...segment.units]) : [],
    );
    let repaired = 0;
    for (const [number, chunkHeads] of heads) {
      const record = records.get(number);
      if (!record || chunkHeads.every(({ slot }) => covered.has(slot))) continue;
      gather(readBack(store, record));
      atOnce(settle());
      repaired++;
    }
    atOnce(buildPending());
    return repaired;
  }

  const analysedAgain = load();
  return {
    repaired: store.segments ? analysedAgain : 0,
    catalog,
    passageFacts: keepPassageFacts({ readTexts: store.texts, readChunks: store.chunks }),
    keyword,
    code,
    documents,
    put({ contents, ...document }) {
      const { record, slots, chunks } = document;
      catalog.addDocument(
        catalogDocument(record),
        chunks.map((chunk, index) => chunkHead(slots[index]!, chunk, contents[index]!)),
      );
      gather(document);
    },
    settle,
    touch: (record) => catalog.updateDocument(catalogDocument(record)),
    remove,
    *flush() {
      yield* buildPending();
      // Words come last: a slot with words has its code and its document, too.
      yield* saved.code.save();
      yield* saved.documents.save();
      yield* saved.chunks.save();
      store.setState({ analysis });
    },
  };
}

function entriesOf({ record, slots, chunks }: IndexedDocument, analyzer: Analyzer): IndexEntry[] {
  return chunks.map((chunk, index) => ({ slot: slots[index]!, chunk, document: record.fields, analyzer }));
}

function readBack(store: Store, record: DocumentRecord): IndexedDocument {
  const chunks = store.chunksOf(record.number);
  const text = chunks.map((chunk) => chunk.text.slice(chunk.overlap)).join('');
  return { record, slots: chunks.map((chunk) => chunk.slot), chunks, text };
}

function catalogDocument(record: DocumentRecord): CatalogDocument {
  const { number, id, collection, path, frontMatter, fields } = record;
  return {
    number,
    id,
    collection,
    path,
    title: fields.title,
    aliases: fields.aliases,
    tags: fields.tags,
    modified: documentTime(fields.date, record.modified),
    frontMatter,
    ...(fields.category === undefined ? {} : { category: fields.category }),
    ...(fields.author === undefined ? {} : { author: fields.author }),
  };
}
