/**
 * The port between a published index and the engine that holds it. An engine, such as Qdrant, stores what was sent
 * and finds candidates. The scores come from our own word indexes.
 */
import type { DocumentParts } from './document-parts.ts';
import type { PublishedState, Weights, WordLane } from './format.ts';

/** A condition on a passage or a document. */
export type Condition =
  /** `any` contains the value at `key`, or a member of the list at `key`. */
  | { readonly key: string; readonly any: readonly (string | number)[] }
  | { readonly key: 'modified' | 'draw'; readonly from?: number; readonly below?: number }
  /** The passage or document holds one of these words. A word is given as its dimension (`dimensionOf`). */
  | { readonly lane: WordLane; readonly holds: readonly number[] }
  /** Slots of passages, or numbers of documents. */
  | { readonly ids: readonly number[] };

/** Passages or documents that a request reads or searches. */
export interface Selection {
  readonly kind: 'passage' | 'document';
  readonly all: readonly Condition[];
  /** Conditions none of which may hold. */
  readonly none: readonly Condition[];
  /** If given, at least one of these must hold. */
  readonly some?: readonly Condition[];
}

/** Parts of a payload to read. */
export interface Wanted {
  /** Fields of the payload, or `code.lengths` for one part of a field. */
  readonly keys: readonly string[];
  /** Dimensions of the words whose occurrences are read. @default none */
  readonly dimensions?: readonly number[];
}

export interface WantedOfFound extends Wanted {
  /** The dot product of each passage with this vector is read, at the key `cosine`. @default none */
  readonly cosine?: Float32Array | undefined;
}

export interface Search {
  readonly where: Selection;
  readonly limit: number;
  /** If given: finds only passages of these documents, up to `limit` passages for each document. */
  readonly of?: readonly number[];
  /** Sorts by the dot product with the stored weights or vectors, best first. @default sorts by id */
  readonly by?: { readonly weights: Weights } | { readonly vector: Float32Array };
}

export interface Item<Payload> {
  /** Slot of a passage, or number of a document. */
  readonly id: number;
  readonly payload: Payload;
}

export interface Found {
  /** As in `Item`. */
  readonly id: number;
  /** Dot product with the weights or the vector in `Search.by`; 0 if the search has none. */
  readonly score: number;
}

export interface Answers<Payload> {
  /** The results of each search. */
  readonly found: readonly (readonly Found[])[];
  /** The payload of at least everything that was found, by id; empty if none is wanted. */
  readonly payload: ReadonlyMap<number, Payload>;
}

/** Reads one edition. Its methods throw DocfuseError `index_missing` if another edition has replaced this one. */
export interface EditionReader {
  /** Whether a search compares all vectors. If not, it compares only the vectors that a graph leads to. */
  readonly exactVectors: boolean;
  /** Runs searches of one kind, and reads the payload of what they find. @param wanted @default no payload */
  search<Payload>(searches: readonly Search[], wanted?: WantedOfFound): Promise<Answers<Payload>>;
  /** Returns payload by id; unknown ids are left out. */
  read<Payload>(
    kind: Selection['kind'],
    ids: readonly number[],
    wanted: Wanted,
  ): Promise<ReadonlyMap<number, Payload>>;
  /** Yields the selected passages or documents, in the order of ids. @param most about how many to read. @default all */
  pages<Payload>(where: Selection, wanted: Wanted, most?: number): AsyncIterable<readonly Item<Payload>[]>;
  counts(selections: readonly Selection[]): Promise<readonly number[]>;
  vectors(slots: readonly number[]): Promise<ReadonlyMap<number, Float32Array>>;
  /** Returns the packed list of words; undefined if no list was saved at `place`. */
  words(place: number): Promise<Uint8Array | undefined>;
}

/** Fills one edition. After an interruption, every step can be repeated. */
export interface EditionWriter {
  /** Returns the digest of each completely stored document, by its number. */
  digests(): Promise<ReadonlyMap<number, string>>;
  /** Writes documents, replacing former versions. The digest of a document is stored only after all of its passages. */
  write(documents: readonly DocumentParts[], known: ReadonlyMap<number, string>): Promise<void>;
  remove(numbers: readonly number[]): Promise<void>;
  saveWords(place: number, bytes: Uint8Array): Promise<void>;
  /**
   * Saves the state and shows this edition. Deletes all other editions of this name: only the owner of the lease fills editions.
   * @throws DocfuseError `index_busy` if the lease has another owner than `owner`; nothing changes then
   */
  show(state: PublishedState, owner: string): Promise<void>;
}

/** The right to publish under a name. */
export interface Lease {
  /** The process that publishes. */
  readonly owner: string;
  readonly since: Date;
  /** End of the lease, unless it is renewed. */
  readonly until: Date;
}

/** A publication as it has arrived at the server that answers. */
export interface ShownState extends PublishedState {
  /** Age of the newest change in seconds; present if a replica waits for more changes, or has lost its primary. */
  readonly behindSeconds?: number;
}

/** A place where an index is published. */
export interface PublishedEngine {
  /** Name for messages, such as `handbook in Qdrant`. */
  readonly title: string;
  readonly name: string;
  /** Setting that holds the name, such as `qdrant.name`. */
  readonly nameSetting: string;
  /** Returns the state of the publication; undefined if nothing is published. @throws DocfuseError `remote` */
  state(signal?: AbortSignal): Promise<ShownState | undefined>;
  reader(state: Pick<PublishedState, 'edition' | 'passages' | 'dimensions'>): EditionReader;
  /**
   * Leases the name to `owner`, or renews its lease, unless another owner has a valid lease.
   * @param milliseconds length of the lease from now; 0 ends it
   * @returns the lease, which may be that of another owner
   */
  claim(owner: string, milliseconds: number, signal?: AbortSignal): Promise<Lease>;
  /** Makes the edition if it is missing. @param dimensions length of the vectors; 0 without vectors */
  writer(edition: string, dimensions: number, signal?: AbortSignal): Promise<EditionWriter>;
  /** Returns the error which says that nothing is published under this name. */
  missing(cause?: unknown): Error;
  close(): Promise<void>;
}
