/** The parts of an index in memory: word, vector and link indexes, with the chunks that a store would keep on disk. */
import { chunkDocument, DEFAULT_CHUNKING } from './chunk/chunk-document.ts';
import { chunkHead } from './chunk/chunk-head.ts';
import { createLinkGraph, type LinkGraph } from './graph/link-graph.ts';
import { catalogDocument, createCatalog } from './indexes/catalog.ts';
import { createCodeRetriever } from './indexes/code.ts';
import { createDocumentIndex } from './indexes/documents.ts';
import { createKeywordRetriever } from './indexes/keyword.ts';
import { createPlainScan } from './indexes/plain-scan.ts';
import { createSemanticRetriever } from './indexes/semantic.ts';
import { parseDocument } from './markdown/parse-document.ts';
import type { ChunkedDocument, Parent } from './model/chunk.ts';
import { documentNames, type ParsedDocument } from './model/document.ts';
import { RANKING } from './model/ranking-constants.ts';
import type { ChunkRecord } from './ports.ts';
import { codeQueryTerms } from './query/code.ts';
import type { EmbeddedParts } from './retrieval/embedded-retrieval.ts';

/** A document that is parsed and split, but not yet in an index. */
interface SplitDocument extends ChunkedDocument {
  readonly id: string;
  readonly collection: string;
  readonly parsed: ParsedDocument;
}

export interface MemoryParts {
  readonly parts: EmbeddedParts & { readonly links: () => LinkGraph };
  /**
   * Adds a document. A document with the same id is replaced.
   * @param vectors one unit vector per chunk; empty without semantic search
   * @param modified file time in milliseconds since 1970, used if the front matter has no date
   */
  add(document: SplitDocument, vectors: readonly Float32Array[], modified: number): void;
  remove(id: string): void;
}

export function splitDocument(collection: string, path: string, text: string): SplitDocument {
  const id = `${collection}/${path}`;
  const parsed = parseDocument(path, text);
  return { id, collection, parsed, ...chunkDocument(id, parsed, DEFAULT_CHUNKING) };
}

/**
 * @param dimensions length of the vectors; undefined without semantic search
 * @param constants ranking constants, for trials. @default `RANKING`
 */
export function createMemoryParts(dimensions: number | undefined, { words } = RANKING): MemoryParts {
  const { fields: weights, names: namesWeight, k1, b } = words;
  const catalog = createCatalog();
  const { idOf } = catalog;
  const keyword = createKeywordRetriever({ idOf, weights, k1, b });
  const code = createCodeRetriever({ idOf, queryTerms: codeQueryTerms, k1, b });
  const documents = createDocumentIndex({ namesWeight, k1, b });
  const links = createLinkGraph();
  const records = new Map<number, ChunkRecord>();
  const parents = new Map<string, Parent>();
  const vectors = new Map<number, Float32Array>();
  const vectorOf = (slot: number) => vectors.get(slot);
  const semantic =
    dimensions === undefined
      ? undefined
      : createSemanticRetriever({ dimensions, scan: createPlainScan(), vectorOf, idOf });
  const retrievers = [keyword, code, ...(semantic ? [semantic] : [])];
  let nextSlot = 0;
  let nextDocument = 0;

  function remove(id: string): void {
    const number = catalog.numberOf(id);
    if (number === undefined) return;
    const slots = catalog.slotsOf(number);
    for (const slot of slots) {
      const parent = records.get(slot)?.parentId;
      if (parent !== undefined) parents.delete(parent);
      records.delete(slot);
      vectors.delete(slot);
    }
    for (const retriever of retrievers) retriever.remove(slots);
    documents.remove([number]);
    links.remove(number);
    catalog.removeDocument(number);
  }

  const readChunks = (slots: readonly number[]) => slots.flatMap((slot) => records.get(slot) ?? []);
  return {
    parts: {
      ...{ catalog, keyword, code, documents, readChunks, vectorOf },
      ...(semantic && { semantic }),
      readTexts: (slots) => readChunks(slots).map(({ text, overlap }) => text.slice(overlap)),
      readParents: (ids) => ids.flatMap((id) => parents.get(id) ?? []),
      links: () => links,
    },
    add({ id, collection, parsed, chunks, parents: sections }, made, modified) {
      remove(id);
      const number = nextDocument++;
      const entries = chunks.map((chunk, index) => {
        const slot = nextSlot++;
        const vector = made[index];
        records.set(slot, { ...chunk, slot, document: number });
        if (vector) vectors.set(slot, vector);
        return { slot, chunk, document: parsed, ...(vector && { vector }) };
      });
      for (const section of sections) parents.set(section.id, section);
      catalog.addDocument(
        catalogDocument({ ...parsed, number, id, collection, modified }),
        entries.map(({ slot, chunk }) => chunkHead(slot, chunk)),
      );
      links.put({ ...parsed, number, collection });
      documents.add([{ number, names: documentNames(parsed), text: parsed.text }]);
      for (const retriever of retrievers) retriever.add(entries);
    },
    remove,
  };
}
