/** The layout of a collection in Qdrant: ids of points, named vectors, and payload indexes. */
import type { PassagePart } from '../published/document-parts.ts';
import type { WordLane } from '../published/format.ts';
import type { Schemas } from './client.ts';

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
/** Max pieces of a list of words. */
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
