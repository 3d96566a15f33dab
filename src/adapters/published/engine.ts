/**
 * The port between a published index and the engine that holds it. An engine finds candidates and keeps what was sent; scores
 * come from our own word indexes.
 */
import type { DocumentParts } from './document-parts.ts';
import type { PublishedState, Weights, WordLane } from './format.ts';

/** A condition on a passage or a document. */
export type Condition =
  /** One of `any` is in a list, or is the value. */
  | { readonly key: string; readonly any: readonly (string | number)[] }
  | { readonly key: 'modified' | 'draw'; readonly from?: number; readonly below?: number }
  /** Holds one of these words, by dimension. */
  | { readonly lane: WordLane; readonly holds: readonly number[] }
  /** Slots or numbers of documents. */
  | { readonly ids: readonly number[] };

/** Passages or documents that a request reads or searches. */
export interface Selection {
  readonly kind: 'passage' | 'document';
  /** Conditions that all must hold. */
  readonly all: readonly Condition[];
  /** Conditions none of which may hold. */
  readonly none: readonly Condition[];
  /** If given, at least one of these must hold. */
  readonly some?: readonly Condition[];
}

/** Parts of a payload to read. */
export interface Wanted {
  /** Names of fields, or `name.part`. */
  readonly keys: readonly string[];
  /** Words whose occurrences are read, by dimension. @default none */
  readonly dimensions?: readonly number[];
}

export interface Search {
  readonly where: Selection;
  readonly limit: number;
  readonly wanted: Wanted;
  /** Finds only passages of these documents; the limit is then that of each. */
  readonly of?: readonly number[];
  /** Order: the product of weights with those that were sent, or of vectors, best first. @default that of the ids */
  readonly by?: { readonly weights: Weights } | { readonly vector: Float32Array };
}

export interface Item<Payload> {
  /** Slot of a passage, or number of a document. */
  readonly id: number;
  readonly payload: Payload;
}

export interface Found<Payload> extends Item<Payload> {
  /** 0 without an order. */
  readonly score: number;
}

/** Reads one edition. Its methods throw DocfuseError `index_missing` after another edition has replaced it. */
export interface EditionReader {
  /** Whether all vectors are compared, not only those that a graph leads to. */
  readonly exactVectors: boolean;
  /** Runs searches. The results are in their order. */
  search<Payload>(searches: readonly Search[]): Promise<readonly (readonly Found<Payload>[])[]>;
  /** Returns payload by id; unknown ids are left out. */
  read<Payload>(
    kind: Selection['kind'],
    ids: readonly number[],
    wanted: Wanted,
  ): Promise<ReadonlyMap<number, Payload>>;
  /** Yields what passes in the order of ids. @param most to read. @default all */
  pages<Payload>(where: Selection, wanted: Wanted, most?: number): AsyncIterable<readonly Item<Payload>[]>;
  counts(selections: readonly Selection[]): Promise<readonly number[]>;
  vectors(slots: readonly number[]): Promise<ReadonlyMap<number, Float32Array>>;
  /** @param place where it was saved. Undefined if nothing is there */
  words(place: number): Promise<Uint8Array | undefined>;
}

/** Fills one edition. Everything may be done again after a stop. */
export interface EditionWriter {
  /** Writes that `owner` publishes until a time, unless the claim of another has not ended. @returns who has the claim */
  claim(owner: string, until: number, now: number, signal?: AbortSignal): Promise<string | undefined>;
  /** Returns the digests of all documents that have arrived, by number. */
  digests(): Promise<ReadonlyMap<number, string>>;
  /** Writes documents in place of those with their numbers. A document without all of its passages has no digest. */
  write(documents: readonly DocumentParts[], known: ReadonlyMap<number, string>): Promise<void>;
  remove(numbers: readonly number[]): Promise<void>;
  saveWords(place: number, bytes: Uint8Array): Promise<void>;
  /** Saves the state, and shows this edition in place of the former one, which is deleted. */
  show(state: PublishedState): Promise<void>;
}

/** A place where an index is published. */
export interface PublishedEngine {
  /** Such as `handbook in Qdrant`, for messages. */
  readonly title: string;
  readonly name: string;
  /** Up to this many passages, all vectors are compared. */
  readonly exactPassages: number;
  /** Setting that holds the name, such as `qdrant.name`. */
  readonly nameSetting: string;
  /** Undefined if nothing is published. @throws DocfuseError `remote` */
  state(signal?: AbortSignal): Promise<PublishedState | undefined>;
  reader(state: Pick<PublishedState, 'edition' | 'passages' | 'dimensions'>): EditionReader;
  /** Makes the edition if it is missing. @param dimensions of vectors; 0 without any */
  writer(edition: string, dimensions: number, signal?: AbortSignal): Promise<EditionWriter>;
  /** The error for a name under which nothing is published. */
  missing(cause?: unknown): Error;
  close(): Promise<void>;
}
