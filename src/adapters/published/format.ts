/** Data of a published index: the numbers by which words are stored, the payload of passages and documents, and the state. */
import { createHash } from 'node:crypto';
import type { CollectionStatistics } from '../../core/indexes/postings.ts';
import type { Parent } from '../../core/model/chunk.ts';
import type { Link } from '../../core/model/document.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord } from '../../core/ports.ts';
import type { FilterKeys } from '../../core/query/filter-keys.ts';
import type { LanguageCode } from '../../core/text/languages.ts';

/** Raise this number when weights or payload change: the next publication then fills a new edition. */
export const SCHEMA = 4;
/** The oldest schema that searches can read. */
export const OLDEST_READABLE = 4;

/**
 * Kinds of word lists: the words of a passage, of its title, and of its code; the words of a document, and of its names. Each
 * word has a weight: its BM25F contribution. The score of a lane is the sum of weight times idf over the words of the query.
 */
export type WordLane = 'keyword' | 'named' | 'code' | 'document' | 'title';

/** For each lane, the weight of each word. The key of a word is its dimension (`dimensionOf`). */
export type Weights = Readonly<Partial<Record<WordLane, ReadonlyMap<number, number>>>>;

/**
 * Occurrences of words, by dimension. For each field that holds the word, a list contains the number of the field, the frequency,
 * and the positions if the lane keeps positions. A word in no field is absent.
 */
export type Occurrences = Readonly<Record<string, readonly number[]>>;

interface Worded {
  /** Length of each field, in positions. */
  readonly lengths: readonly number[];
  readonly in: Occurrences;
}

export interface PassagePayload extends FilterKeys, Worded {
  readonly document: number;
  /** 0 if the passage has no visible text and another passage of the document has some, else 1. */
  readonly shown: 0 | 1;
  readonly languages: readonly string[];
  readonly code?: Worded;
  /** A random but fixed number below `DRAWS`. The passages with a number below a limit are a random sample. */
  readonly draw: number;
  readonly chunk: PublishedChunk;
}

/** A passage as it is stored. The key `lead` holds its context prefix: with another key, every passage would be sent again. */
type PublishedChunk = Omit<ChunkRecord, 'contextPrefix'> & { readonly lead?: string };

export function toPublished({ contextPrefix: lead, ...chunk }: ChunkRecord): PublishedChunk {
  return lead === undefined ? chunk : { ...chunk, lead };
}

export function fromPublished({ lead: contextPrefix, ...chunk }: PublishedChunk): ChunkRecord {
  return contextPrefix === undefined ? chunk : { ...chunk, contextPrefix };
}

export const DRAWS = 65_536;

/** A name of a document: the fields of `NameWeight`, then the dimensions of its terms. */
export type PublishedName = readonly [name: number, terms: number, total: number, ...dimensions: number[]];

export interface DocumentPayload extends FilterKeys, Worded {
  readonly record: DocumentRecord;
  readonly heads: readonly Omit<ChunkHead, 'document'>[];
  readonly parents: readonly Parent[];
  readonly names: readonly PublishedName[];
  /** The folded file name, with and without its extension. A query that is a path is compared with it. */
  readonly files: readonly string[];
  readonly linked: readonly (readonly [document: number, weight: number])[];
  readonly links: readonly Link[];
  readonly community?: number;
  /** Digest of all data that was sent for the document and its passages. */
  readonly digest: string;
}

export interface PublishedCollection {
  readonly name: string;
  /** Present if the documents are the commits of a repository. */
  readonly kind?: 'git';
  readonly language: LanguageCode;
  readonly documents: number;
}

type Statistics = Pick<CollectionStatistics, 'count' | 'averageLengths'>;

/** Facts about a published index. */
export interface PublishedState {
  readonly schema: number;
  /** Name of the tables or of the collection that searches read. A rebuild makes a new edition. */
  readonly edition: string;
  /** Identity of the published index. Slots and document numbers are valid only for this index. */
  readonly identity: string;
  /** Machine and path of the index. */
  readonly publisher: string;
  /** Increases with every publication. */
  readonly generation: number;
  /** Time of the publication, ISO 8601. */
  readonly published: string;
  /** Time of the last run over all files, ISO 8601. */
  readonly updated?: string;
  /** Identity of the embedding model. */
  readonly model: string;
  /** 0 if no passage has a vector. */
  readonly dimensions: number;
  /** Passages with a vector. */
  readonly embedded: number;
  readonly passages: Statistics;
  readonly documents: Statistics;
  readonly code: Statistics;
  /** The digest of the list of words, and the place of the list: 0 or 1. Each new list is stored in the free place. */
  readonly words: { readonly place: number; readonly digest: string };
  /** Extensions of the files, in lower case. */
  readonly extensions: readonly string[];
  readonly collections: readonly PublishedCollection[];
}

/** Returns the number that stands for a word in weights and payload. Of 100,000 words, about two share a number. */
export function dimensionOf(term: string): number {
  return digestOf(term).readUInt32BE(0);
}

function digestOf(text: string | Uint8Array): Buffer {
  return createHash('sha1').update(text).digest();
}

/** Digest of bytes or a text, in hexadecimal. */
export const shortDigest = (content: string | Uint8Array) => digestOf(content).toString('hex').slice(0, 16);

export const drawOf = (slot: number) => digestOf(String(slot)).readUInt16BE(0);
