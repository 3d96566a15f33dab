/** The layout of a collection in Qdrant: vectors, payload and ids of points. */
import { createHash } from 'node:crypto';
import type { CollectionStatistics } from '../../core/indexes/postings.ts';
import type { Parent } from '../../core/model/chunk.ts';
import type { Link } from '../../core/model/document.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord } from '../../core/ports.ts';
import type { FilterKeys } from '../../core/query/filter-keys.ts';
import type { LanguageCode } from '../../core/text/languages.ts';
import type { Schemas } from './client.ts';

/** Raise this number when vectors or payload change: the next publication then fills a new collection. */
export const SCHEMA = 1;

/** Sparse vectors. Their weights are BM25F contributions, so a product with the idf of the query's words is the score of a lane. */
export const SPARSE = ['keyword', 'code', 'document', 'title'] as const;
export type SparseName = (typeof SPARSE)[number];
export const DENSE = 'dense';

/**
 * Occurrences of words, by dimension: for each field its number, the frequency, and the positions where they are kept; or, for a
 * word in no field, absent.
 */
export type Occurrences = Readonly<Record<string, readonly number[]>>;

interface Worded {
  /** Number of positions of each field. */
  readonly lengths: readonly number[];
  readonly in: Occurrences;
}

/** Dimensions of the words of a point, in any field and in its title or names. */
interface Words {
  readonly words: readonly number[];
  readonly nameWords: readonly number[];
}

export interface PassagePayload extends FilterKeys, Words, Worded {
  readonly kind: 'passage';
  readonly document: number;
  /** 1 if the passage is worth showing, else 0. */
  readonly shown: 0 | 1;
  readonly languages: readonly string[];
  readonly codeWords: readonly number[];
  /** Absent for a passage without code. */
  readonly code?: Worded;
  /** A number below `DRAWS`, random but fixed: passages below a limit are a sample. */
  readonly draw: number;
  readonly chunk: ChunkRecord;
}

export const DRAWS = 65_536;

/** A name of a document: its number, the number and the idf of its terms, and their dimensions. */
export type PublishedName = readonly [name: number, terms: number, total: number, ...dimensions: number[]];

export interface DocumentPayload extends FilterKeys, Words, Worded {
  readonly kind: 'document';
  readonly record: DocumentRecord;
  readonly heads: readonly Omit<ChunkHead, 'document'>[];
  readonly parents: readonly Parent[];
  readonly names: readonly PublishedName[];
  /** Keys of the file name, for queries that are paths. */
  readonly files: readonly string[];
  readonly linked: readonly (readonly [document: number, weight: number])[];
  readonly links: readonly Link[];
  readonly community?: number;
  /** Digest of everything that was sent of the document and its passages. */
  readonly digest: string;
}

/** A word as written, which begins with a prefix of a query, and its term in the index. */
export interface WordPayload {
  readonly kind: 'word';
  readonly surface: string;
  readonly term: string;
}

export interface PublishedCollection {
  readonly name: string;
  readonly language: LanguageCode;
  readonly documents: number;
}

type Statistics = Pick<CollectionStatistics, 'count' | 'averageLengths'>;

/** Facts about everything published. */
export interface PublishedState {
  readonly schema: number;
  /** The collection behind the alias. */
  readonly collection: string;
  /** Identity of the index; slots and document numbers belong to it. */
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
  /** Extensions of the files, in lower case. */
  readonly extensions: readonly string[];
  readonly collections: readonly PublishedCollection[];
}

/** Number of a word in sparse vectors and payload. Two of 100,000 words share a number, on average. */
export function dimensionOf(term: string): number {
  return digestOf(term).readUInt32BE(0);
}

/** Dimension of a word in the title of a passage alone, for `title:word`. */
export const titleDimension = (term: string) => dimensionOf(`\u0002${term}`);

function digestOf(text: string): Buffer {
  return createHash('sha1').update(text).digest();
}

// Ids: the slot of a passage, and numbers above all slots for everything else. All are below 2^53.
const WORDS_FROM = 2 ** 50;
const DOCUMENTS_FROM = 2 ** 51;
export const STATE_ID = 2 ** 52;
export const LEASE_ID = STATE_ID + 1;
export const documentId = (number: number) => DOCUMENTS_FROM + number;
export const documentOfId = (id: number) => id - DOCUMENTS_FROM;
export const wordId = ({ surface, term }: Pick<WordPayload, 'surface' | 'term'>) =>
  WORDS_FROM + digestOf(`${surface}\0${term}`).readUIntBE(0, 6);
export const drawOf = (slot: number) => digestOf(String(slot)).readUInt16BE(0);

export const PAYLOAD_INDEXES: readonly (readonly [string, Schemas['PayloadFieldSchema']])[] = [
  ...(['kind', 'collection', 'scopes', 'tags', 'authors', 'categories', 'languages', 'files'] as const).map(
    (key) => [key, 'keyword'] as const,
  ),
  ...(['words', 'nameWords', 'codeWords', 'document', 'draw', 'shown'] as const).map(
    (key) => [key, 'integer'] as const,
  ),
  ['modified', 'float'],
  ['surface', { type: 'text', tokenizer: 'prefix', min_token_len: 1, max_token_len: 24, lowercase: false }],
];
