/** Search by meaning over an export: all its vectors, and the links that the ranking follows, are loaded at once. */

import { type PackedVector, packRow, packVector, partsOf } from '../indexes/packed-vector.ts';
import { createSemanticRetriever, type SemanticRetriever } from '../indexes/semantic.ts';
import type { EmbeddedParts } from '../retrieval/embedded-retrieval.ts';
import type { DocumentNeighbours } from './export-format.ts';
import type { CollectionFacts, LoadFragment } from './facts.ts';
import { passageId } from './light-catalog.ts';

export interface FragmentMeaning extends Required<Pick<EmbeddedParts, 'links'>> {
  readonly semantic: SemanticRetriever;
  /** Returns the id of a document by its number in the export. */
  readonly idOf: (document: number) => string;
}

export async function loadMeaning(
  { passages }: Pick<CollectionFacts, 'passages'>,
  dimensions: number,
  load: (number: number) => ReturnType<LoadFragment>,
  neighbours: readonly DocumentNeighbours[],
): Promise<FragmentMeaning> {
  const slots = passages.reduce((sum, count) => sum + count, 0);
  const fragments = Array.from({ length: Math.ceil(slots / vectorsEach(dimensions)) }, (_, number) =>
    load(number),
  );
  const semantic = createSemanticRetriever({ dimensions, idOf: passageId });
  let slot = 0;
  for (const bytes of await Promise.all(fragments))
    for (const vector of decodeVectors(bytes, dimensions)) semantic.addPacked(slot++, vector);
  const edges = neighbours.map(({ links }) => new Map(links));
  return {
    semantic,
    links: () => ({ neighbours: (document) => edges[document] ?? new Map() }),
    idOf: (document) => neighbours[document]?.id ?? '',
  };
}

/** Bytes of a fragment, not compressed. */
const FRAGMENT_SIZE = 2_000_000;

export const vectorsEach = (dimensions: number) => Math.max(1, Math.floor(FRAGMENT_SIZE / dimensions));

/**
 * Keeps the upper bits of the vectors, and their largest numbers. The rounding changes a cosine by half a percent.
 * @param vectors all of the length `dimensions`
 */
export function encodeVectors(vectors: readonly Float32Array[], dimensions: number): Uint8Array<ArrayBuffer> {
  const size = vectors.length * dimensions;
  const written = new Uint8Array(size + vectors.length * 4);
  const view = new DataView(written.buffer, size);
  for (const [row, vector] of vectors.entries()) {
    const { upper, largest } = partsOf(packVector(vector));
    written.set(upper, row * dimensions);
    view.setFloat32(row * 4, largest, true);
  }
  return written;
}

function decodeVectors(bytes: Uint8Array<ArrayBuffer>, dimensions: number): readonly PackedVector[] {
  const rows = bytes.length / (dimensions + 4);
  const largest = new DataView(bytes.buffer, bytes.byteOffset + rows * dimensions);
  return Array.from({ length: rows }, (_, row) =>
    packRow(
      bytes.subarray(row * dimensions, (row + 1) * dimensions),
      undefined,
      largest.getFloat32(row * 4, true),
    ),
  );
}
