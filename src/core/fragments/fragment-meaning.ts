/** Search by meaning over an export: all its vectors, and the links that the ranking follows, are loaded at once. */

import { createSemanticRetriever } from '../indexes/semantic.ts';
import { createPlainScan } from '../indexes/vector-matrix.ts';
import type { EmbeddedParts } from '../retrieval/embedded-retrieval.ts';
import type { DocumentNeighbours } from './export-format.ts';
import type { CollectionFacts, LoadFragment } from './facts.ts';
import { passageId } from './light-catalog.ts';
import { decodeVectors, vectorsEach } from './vectors-fragment.ts';

export interface FragmentMeaning extends Required<Pick<EmbeddedParts, 'semantic' | 'vectorOf' | 'links'>> {
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
  const vectors = (await Promise.all(fragments)).flatMap((bytes) => decodeVectors(bytes, dimensions));
  const vectorOf = (slot: number) => vectors[slot];
  const semantic = createSemanticRetriever({
    dimensions,
    vectorOf,
    scan: createPlainScan(),
    idOf: passageId,
  });
  for (const [slot, vector] of vectors.entries()) semantic.addVector(slot, vector);
  const edges = neighbours.map(({ links }) => new Map(links));
  return {
    semantic,
    vectorOf,
    links: () => ({ neighbours: (document) => edges[document] ?? new Map() }),
    idOf: (document) => neighbours[document]?.id ?? '',
  };
}
