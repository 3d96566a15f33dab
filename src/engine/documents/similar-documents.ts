/** Documents that mean nearly the same, by the vectors of their passages. */
import type { CatalogDocument } from '../../core/model/document.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { isEmbeddingUnavailable } from '../workspace/semantic-index.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';
import { documentName } from './document-facts.ts';
import type { RelatedDocuments } from './documents-api.ts';

/** Passages looked at; the best of each document counts. */
const DEPTH = 200;
const SHOWN = 5;

export async function similarDocuments(
  workspace: ReadableWorkspace,
  document: CatalogDocument,
): Promise<Pick<RelatedDocuments, 'similar' | 'notice'>> {
  const { store } = workspace;
  const catalog = workspace.catalog();
  if (workspace.facts().embedded === 0) return { similar: [], notice: 'No passage has a vector yet.' };
  try {
    const { embedder, semantic } = await workspace.semanticIndex();
    const slots = catalog.slotsOf(document.number);
    const known = await Promise.all(slots.map((slot) => store.vector(embedder.model, slot)));
    const vectors = known.filter((vector) => vector !== undefined);
    if (vectors.length === 0) return { similar: [], notice: 'No passage of this document has a vector yet.' };
    const others = catalog.mask([(other) => other.number !== document.number], []);
    const query = { parsed: parseQuery(''), vector: centre(vectors, embedder.dimensions) };
    const { entries } = await semantic.search(query, DEPTH, others);
    const best = new Map<CatalogDocument, number>();
    for (const { slot, score } of entries) {
      const other = catalog.documentOf(slot);
      if (other && !best.has(other)) best.set(other, score);
    }
    return {
      similar: [...best]
        .slice(0, SHOWN)
        .map(([other, similarity]) => ({ ...documentName(other), similarity: round(similarity) })),
    };
  } catch (error) {
    if (!isEmbeddingUnavailable(error)) throw error;
    return { similar: [], notice: `${error.message} ${error.remedy}` };
  }
}

/** Mean of unit vectors, brought to unit length. */
function centre(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const vector of vectors) for (let i = 0; i < dimensions; i += 1) sum[i]! += vector[i]!;
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

function round(similarity: number): number {
  return Math.round(similarity * 10_000) / 10_000;
}
