/** The port between finding and ranking: an index answers a request with candidates in columns, and questions about some of them in batches. */
import type { Candidates, Found } from '../model/candidates.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { Explanation } from '../model/hit.ts';
import type { CollectionWords, Filters, ParsedQuery } from '../model/query.ts';
import type { Lane } from '../model/ranking-constants.ts';
import type { ChunkRecord } from '../ports.ts';

/** At once from memory, or later. */
export type Awaitable<T> = T | Promise<T>;

/** Which passages the answer may come from; statistics stay those of the whole index. */
export interface Narrowing {
  /** Phrases, required and excluded words and the filters of its syntax narrow. */
  readonly query: ParsedQuery;
  /** These hold as well. */
  readonly filters: Filters;
}

/**
 * Plain data, except for a vector that may still be computed. One object is one request: later questions pass
 * it again.
 */
export interface RetrievalRequest extends Narrowing {
  /** Lanes that take part. */
  readonly lanes: readonly Lane[];
  /** Embedding of the query, unit length; words may be looked up while it is on its way. */
  readonly vector?: Awaitable<Float32Array>;
  /** How many candidates each lane brings, at most. */
  readonly depth: number;
  /** Whether communities of documents are wanted. @default false */
  readonly communities?: boolean;
}

/** A document among those linked to it. */
export interface Neighbourhood {
  readonly document: number;
  /** `<collection>/<path>` */
  readonly id: string;
  /** Whether a passage of it passes what narrows the request. */
  readonly passes: boolean;
  /** The documents one link away in either direction, with the weights of the links. */
  readonly links: ReadonlyMap<number, number>;
}

/** A section of a document, put together from its passages. */
export interface ShownSection {
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A word near a query. */
export interface SimilarWord {
  readonly word: string;
  /** Cosine of word and query, from 8-bit rows: off by .01 at most. */
  readonly similarity: number;
}

/** Words of the collection, by meaning. */
export interface Vocabulary {
  /** How many there are. */
  readonly words: number;
  /**
   * The words nearest to a query, best first, equal ones in the order they were added.
   * @param minimum least similarity
   * @param terms index terms of the query; a word that only has these says nothing new
   */
  nearest(
    query: Float32Array,
    count: number,
    minimum: number,
    terms: ReadonlySet<string>,
  ): Promise<readonly SimilarWord[]>;
}

/** What an implementation computes exactly by the formulas; the contract suite checks what it declares. */
export interface RetrievalCapabilities {
  /** Scores of words are BM25F with the statistics of all passages. */
  readonly exactWords: boolean;
  /** Nearest passages are found by comparing all vectors, not by an approximate index. */
  readonly exactVectors: boolean;
  readonly phrases: boolean;
  readonly explanations: boolean;
}

export interface Retrieval {
  readonly capabilities: RetrievalCapabilities;
  /** Absent: words of a query are taken as typed. */
  readonly words?: CollectionWords;

  /** The best passages of each lane that brings some, scored in every lane asked for. */
  retrieve(request: RetrievalRequest): Awaitable<Found>;
  /** The same facts about the first passage worth showing of every document that passes; no lane scores. */
  list(narrowing: Narrowing): Awaitable<Found>;
  /**
   * For each document, the passing passage that answers best by meaning and by words, scored in every lane
   * and ranked in none; documents without one are left out.
   */
  bestPassages(request: RetrievalRequest, documents: readonly number[]): Awaitable<Candidates>;
  /** In the order asked. Absent: nothing is known of links. */
  neighbours?(request: RetrievalRequest, documents: readonly number[]): Awaitable<readonly Neighbourhood[]>;
  /** By lane, for each slot: its score as a tree, and what multiplies it. Lanes that cannot tell are absent. */
  explain(
    request: RetrievalRequest,
    slots: readonly number[],
  ): Awaitable<
    Readonly<Partial<Record<Lane, readonly (readonly [Explanation, ...(readonly Explanation[])])[]>>>
  >;

  /** Says that no more questions about the request follow, so that its arrays can be used again. */
  release?(request: RetrievalRequest): void;

  // Batches: one answer for each, in order; undefined for what was removed.
  documents(numbers: readonly number[]): Awaitable<readonly (CatalogDocument | undefined)[]>;
  chunks(slots: readonly number[]): Awaitable<readonly (ChunkRecord | undefined)[]>;
  /** Texts without overlap, in a third of the time of `chunks`; empty for a removed one. */
  texts(slots: readonly number[]): Awaitable<readonly string[]>;
  /** Unit vectors; undefined also for a passage that has none yet. */
  vectors(slots: readonly number[]): Awaitable<readonly (Float32Array | undefined)[]>;
  sections(
    parents: readonly { readonly document: number; readonly id: string }[],
  ): Awaitable<readonly (ShownSection | undefined)[]>;
}
