/** The loaded indexes, all derived from the store: the catalog and the four indexes. */
import { chunkHead } from '../../core/chunk/chunk-head.ts';
import { type Catalog, createCatalog } from '../../core/indexes/catalog.ts';
import { type CodeRetriever, createCodeRetriever } from '../../core/indexes/code.ts';
import { createDocumentIndex, type DocumentEntry, type DocumentIndex } from '../../core/indexes/documents.ts';
import { createKeywordRetriever, type KeywordRetriever } from '../../core/indexes/keyword.ts';
import type { IndexEntry } from '../../core/indexes/retriever.ts';
import type { Chunk } from '../../core/model/chunk.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { documentNames } from '../../core/model/document.ts';
import { RANKING } from '../../core/model/ranking-constants.ts';
import type { DocumentRecord, NewDocument } from '../../core/ports.ts';
import { codeQueryTerms } from '../../core/query/code.ts';
import { atOnce, type Steps } from '../../core/steps.ts';
import type { Store } from '../../core/storage.ts';
import type { Analyzer, Analyzers } from '../../core/text/analyzer.ts';
import { documentTime } from '../../core/text/dates.ts';
import { savedSegments } from './saved-segments.ts';

/**
 * Raise it when the analysis of words changes: segments made by other rules, or for other languages, are then made
 * again from the text.
 */
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
  /** How many documents were analysed again while loading, because their words were not found where they are kept. */
  readonly repaired: number;
  /** Takes in one more document; it can be found after the next `flush`. */
  put(document: IndexedDocument & Pick<NewDocument, 'contents'>): void;
  /** Makes segments of what was put if that is much, so that memory does not grow with files. Nothing may be put or removed before it ends. */
  settle(): Steps<void>;
  /** Takes over a new file time; the content is the same. */
  touch(record: DocumentRecord): void;
  /**
   * Forgets a document. @param former as `readBack` gave it; without it, words are read again from the other
   * documents' texts
   */
  remove(number: number, former: IndexedDocument | undefined): void;
  /** Whether words are kept that belong to removed documents. */
  holdsRemoved(): boolean;
  /**
   * Makes segments of what was put and lets the store keep them. Nothing may be put or removed before it ends.
   * @param all whether all words of removed documents go now, also those in large segments
   */
  flush(all: boolean): Steps<void>;
  /** Makes all segments again from the stored texts; they are kept with the next `flush`. */
  readAgain(): Steps<void>;
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
  /** Removed documents whose words are in segments. */
  let removed: IndexedDocument[] = [];
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
    const gone = removed;
    removed = [];
    yield* documents.forgetInSteps(gone.map(wholeEntry));
    yield* keyword.forgetInSteps(gone.flatMap(passageEntries));
    if (pending.length === 0) return;
    const entries = pending.flatMap(passageEntries);
    yield* code.addInSteps(entries);
    yield* documents.addInSteps(pending.map(wholeEntry));
    yield* keyword.addInSteps(entries);
    pending = [];
  }

  function wholeEntry(document: IndexedDocument): DocumentEntry {
    const { number, fields, path } = document.record;
    return {
      number,
      names: documentNames({ ...fields, path }),
      text: document.text,
      analyzer: analyzerOf(document),
    };
  }

  function passageEntries(document: IndexedDocument): IndexEntry[] {
    const { record, slots, chunks } = document;
    const analyzer = analyzerOf(document);
    return chunks.map((chunk, index) => ({ slot: slots[index]!, chunk, document: record.fields, analyzer }));
  }

  /** Words of removed documents that were not read when these were removed, as by a run that was killed, cannot be told from others. */
  function* readBesideUnknown(): Steps<void> {
    const numbers = new Set(documents.unitsBesideUnknown());
    const owners = new Set(keyword.unitsBesideUnknown().map((slot) => catalog.documentOf(slot)!.number));
    const all = [...numbers.union(owners)];
    while (all.length > 0) {
      const batch: IndexedDocument[] = [];
      for (let length = 0; all.length > 0 && length < MAX_PENDING; length += batch.at(-1)!.text.length)
        batch.push(readBack(store, store.document(all.pop()!)!));
      yield* documents.addInSteps(batch.filter(({ record }) => numbers.has(record.number)).map(wholeEntry));
      yield* keyword.addInSteps(
        batch.filter(({ record }) => owners.has(record.number)).flatMap(passageEntries),
      );
    }
  }

  function remove(number: number, former: IndexedDocument | undefined): void {
    const slots = catalog.slotsOf(number);
    const others = pending.filter(({ record }) => record.number !== number);
    if (former && others.length === pending.length) {
      removed.push(former);
      pendingLength += former.text.length;
    }
    pending = others;
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
    holdsRemoved: () => [keyword, code, documents].some((index) => index.holdsRemoved()),
    *flush(all) {
      yield* buildPending();
      yield* readBesideUnknown();
      // Words come last: a slot with words has its code and its document, too.
      yield* saved.code.save(all);
      yield* saved.documents.save(all);
      yield* saved.chunks.save(all);
      store.setState({ analysis });
    },
    *readAgain() {
      for (const { number } of catalog.all()) {
        gather(readBack(store, store.document(number)!));
        yield* settle();
      }
    },
  };
}

/** A document as the store has it. */
export function readBack(store: Store, record: DocumentRecord): IndexedDocument {
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
