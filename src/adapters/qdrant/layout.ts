/** The layout of a collection in Qdrant: how it is made, ids of points, named vectors, and payload indexes. */
import type { PassagePart } from '../published/document-parts.ts';
import type { WordLane } from '../published/format.ts';
import { type QdrantConnection, type Schemas, statusOf } from './client.ts';

/** Names of the sparse vectors. The words of the lane `named` are in the vector `keyword`, under other numbers. */
export const SPARSE = ['keyword', 'code', 'document', 'title'] as const;
export type SparseName = (typeof SPARSE)[number];
export const DENSE = 'dense';

/** Payload field that lists the words of a lane. */
export const WORDS_OF = {
  keyword: 'words',
  named: 'nameWords',
  code: 'codeWords',
  document: 'words',
  title: 'nameWords',
} as const satisfies Record<WordLane, string>;

// Ids of points: the slot of a passage; for everything else, a number above all slots. All ids are below 2^53.
const DOCUMENTS_FROM = 2 ** 51;
export const STATE_ID = 2 ** 52;
const LIST_FROM = STATE_ID + 2;
const MAX_PIECES = 10_000;
export const pieceId = (place: number, piece: number) => LIST_FROM + place * MAX_PIECES + piece;
export const documentId = (number: number) => DOCUMENTS_FROM + number;
/** Returns the number of a document, or the slot of a passage. */
export const numberOf = (id: number) => (id >= DOCUMENTS_FROM ? id - DOCUMENTS_FROM : id);

export function toSparse(weights: PassagePart['weights']) {
  const vectors: Partial<Record<SparseName, { indices: number[]; values: number[] }>> = {};
  for (const [lane, words] of Object.entries(weights)) {
    if (words.size === 0) continue;
    const name = lane === 'named' ? 'keyword' : (lane as SparseName);
    vectors[name] ??= { indices: [], values: [] };
    const { indices, values } = vectors[name];
    for (const [dimension, weight] of words) {
      const at = lane === 'named' ? (dimension ^ 0x55555555) >>> 0 : dimension;
      // Qdrant refuses a number twice in a vector. A word of `named` may have the number of another word: skip it.
      if (lane === 'named' && indices.includes(at)) continue;
      indices.push(at);
      values.push(weight);
    }
  }
  return vectors;
}

export const PAYLOAD_INDEXES: readonly (readonly [string, Schemas['PayloadSchemaType']])[] = [
  ...(['kind', 'collection', 'scopes', 'tags', 'authors', 'categories', 'languages', 'files'] as const).map(
    (key) => [key, 'keyword'] as const,
  ),
  ...(['words', 'nameWords', 'codeWords', 'document', 'draw', 'shown'] as const).map(
    (key) => [key, 'integer'] as const,
  ),
  ['modified', 'float'],
];

export interface CollectionSettings {
  /** Number of shards. @default the setting of the server; also the default of the fields below */
  readonly shards?: number | undefined;
  readonly replicas?: number | undefined;
  readonly writeConsistency?: number | undefined;
}

/** Makes a collection with the settings of the user, unless it exists. */
export async function makeCollection(
  { call }: QdrantConnection,
  collection: string,
  vectors: Pick<Schemas['CreateCollection'], 'vectors' | 'sparse_vectors'>,
  { shards, replicas, writeConsistency }: CollectionSettings,
  signal?: AbortSignal,
): Promise<void> {
  const { exists } = await call((client) => client.collectionExists(collection), signal);
  if (exists) return;
  const made = {
    ...vectors,
    ...(shards !== undefined && { shard_number: shards }),
    ...(replicas !== undefined && { replication_factor: replicas }),
    ...(writeConsistency !== undefined && { write_consistency_factor: writeConsistency }),
  };
  await call(async (client) => {
    // 409: the collection exists. Another process made it, or an earlier attempt made it, but its answer was lost.
    await client.createCollection(collection, made).catch((error: unknown) => {
      if (statusOf(error) !== 409) throw error;
    });
  }, signal);
}
