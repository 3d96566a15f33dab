/** Search by meaning over an export: all its vectors, and the links that the ranking follows, are loaded at once. */

import { createSemanticRetriever } from '../indexes/semantic.ts';
import type { DocumentNeighbours } from './export-format.ts';
import type { CollectionFacts, LoadFragment } from './facts.ts';
import { passageId } from './light-catalog.ts';
import { decodeVectors, vectorsEach } from './vectors-fragment.ts';

export type FragmentMeaning = Awaited<ReturnType<typeof loadMeaning>>;

export async function loadMeaning(
  { passages }: Pick<CollectionFacts, 'passages'>,
  dimensions: number,
  load: (number: number) => ReturnType<LoadFragment>,
  neighbours: readonly DocumentNeighbours[],
) {
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
    links: () => ({ neighbours: (document: number) => edges[document] ?? new Map() }),
    /** Returns the id of a document by its number in the export. */
    idOf: (document: number) => neighbours[document]?.id ?? '',
  };
}
