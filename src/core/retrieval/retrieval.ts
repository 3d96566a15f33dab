/**
 * The port between retrieval and ranking. An index answers a request with candidates in columns. Later calls ask for facts
 * about some of the candidates, in batches.
 */
import type { Candidates, Found } from '../model/candidates.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { Explanation } from '../model/hit.ts';
import type { CollectionWords, Filters, ParsedQuery } from '../model/query.ts';
import type { Lane } from '../model/ranking-constants.ts';
import type { Awaitable, ChunkRecord } from '../ports.ts';

export type { Awaitable };

/** Restricts the passages of the answer; statistics cover the whole index. */
export interface Narrowing {
  /** Restricts the answer by its phrases, required words, excluded words and filters. */
  readonly query: ParsedQuery;
  readonly filters: Filters;
}

/**
 * A request for candidates. The object identifies the request: pass the same object to later calls. It is plain data, except
 * that the vector may still be a promise.
 */
export interface RetrievalRequest extends Narrowing {
  readonly lanes: readonly Lane[];
  /** Embedding of the query, unit length. Keyword search may start before this vector is computed. */
  readonly vector?: Awaitable<Float32Array>;
  /** Maximum number of candidates per lane. */
  readonly depth: number;
  /** Whether communities of documents are needed. @default false */
  readonly communities?: boolean;
}

/** A document and the documents linked to it. */
export interface Neighbourhood {
  readonly document: number;
  /** `<collection>/<path>` */
  readonly id: string;
  /** Whether at least one passage of the document passes the restrictions of the request. */
  readonly passes: boolean;
  /** The documents one link away in either direction, with the weights of the links. */
  readonly links: ReadonlyMap<number, number>;
}

/** A section of a document, joined from its passages. */
export interface ShownSection {
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A word of the collection that is close in meaning to a query. */
export interface SimilarWord {
  readonly word: string;
  /** Cosine of word and query, computed from 8-bit vectors; exact to 0.01. */
  readonly similarity: number;
}

/** The words of the collection that have an embedding. */
export interface Vocabulary {
  readonly words: number;
  /**
   * Returns the words closest to a query, best first; words of equal similarity stay in the order in which they were added.
   * @param minimum lowest similarity
   * @param terms index terms of the query; words that have only these terms are left out
   */
  nearest(
    query: Float32Array,
    count: number,
    minimum: number,
    terms: ReadonlySet<string>,
  ): Promise<readonly SimilarWord[]>;
}

/** Abilities of an implementation. The contract suite tests those that are true; `describeLimits` describes the missing ones. */
export interface RetrievalCapabilities {
  /** Keyword scores are BM25F with the statistics of all passages. */
  readonly exactWords: boolean;
  /** Nearest passages are found by comparing all vectors, not by an approximate index. */
  readonly exactVectors: boolean;
  readonly phrases: boolean;
  /** `words` counts phrases and knows acronyms; a vocabulary gives related words. */
  readonly wordForms: boolean;
  readonly explanations: boolean;
}

export interface Retrieval {
  readonly capabilities: RetrievalCapabilities;
  /** Facts about the words of the collection. If absent, words of a query are used as typed. */
  readonly words?: CollectionWords;

  /** Returns the best passages of each lane that finds candidates; each passage is scored in every lane of the request. */
  retrieve(request: RetrievalRequest): Awaitable<Found>;
  /** Returns one passage of every document that passes, without scores: the first with visible text, or else the very first. */
  list(narrowing: Narrowing): Awaitable<Found>;
  /**
   * Returns for each document its best passage by semantic and keyword score, among the passages that the filters allow. The
   * passage has a score in every lane of the request, but no rank. Documents without an allowed passage are left out.
   */
  bestPassages(request: RetrievalRequest, documents: readonly number[]): Awaitable<Candidates>;
  /** Returns documents with their links, in the order of `documents`. Absent if the index has no links. */
  neighbours?(request: RetrievalRequest, documents: readonly number[]): Awaitable<readonly Neighbourhood[]>;
  /** Explains the scores of slots in each lane: the score as a tree, then its factors. Lanes that cannot explain are absent. */
  explain(
    request: RetrievalRequest,
    slots: readonly number[],
  ): Awaitable<
    Readonly<Partial<Record<Lane, readonly (readonly [Explanation, ...(readonly Explanation[])])[]>>>
  >;

  /** Ends a request, so that its arrays can be reused. Do not pass the request to other methods afterwards. */
  release?(request: RetrievalRequest): void;

  // The next methods return one result per number, slot or parent, in order; undefined for a removed one.
  documents(numbers: readonly number[]): Awaitable<readonly (CatalogDocument | undefined)[]>;
  chunks(slots: readonly number[]): Awaitable<readonly (ChunkRecord | undefined)[]>;
  /** Texts without overlap, three times as fast as `chunks`; empty for a removed slot. */
  texts(slots: readonly number[]): Awaitable<readonly string[]>;
  /** Unit vectors; undefined also if a passage has no vector yet. */
  vectors(slots: readonly number[]): Awaitable<readonly (Float32Array | undefined)[]>;
  sections(
    parents: readonly { readonly document: number; readonly id: string }[],
  ): Awaitable<readonly (ShownSection | undefined)[]>;
}
