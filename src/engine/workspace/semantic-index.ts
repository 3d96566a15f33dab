/** Loads the semantic index: the embedding model, and the vectors of all chunks. */
import { DocfuseError } from '../../core/errors.ts';
import { createSemanticRetriever } from '../../core/indexes/semantic.ts';
import type { Embedder, VectorScan } from '../../core/ports.ts';
import type { VectorStore } from '../../core/storage.ts';

export type SemanticIndex = Awaited<ReturnType<typeof loadSemanticIndex>>;

/** Opens the model and loads the vectors made with it. */
export async function loadSemanticIndex(
  store: VectorStore,
  openEmbedder: () => Promise<Embedder>,
  openScan: () => Promise<VectorScan>,
  idOf: (slot: number) => string,
) {
  const [embedder, scan] = await Promise.all([openEmbedder(), openScan()]);
  const { model, dimensions } = embedder;
  const semantic = createSemanticRetriever({ dimensions, scan, idOf });
  for (const { slot, vector } of store.vectors(model)) semantic.addVector(slot, vector);
  return { embedder, semantic, scan, vectorsOf: (slots: readonly number[]) => slots.map(semantic.vectorOf) };
}

/**
 * Whether embedding failed because the optional runtime is missing or a service does not answer: hybrid search then uses words
 * only. A wrong setting is an error.
 */
export function isEmbeddingUnavailable(error: unknown): error is DocfuseError {
  return error instanceof DocfuseError && (error.code === 'runtime_missing' || error.code === 'remote');
}

/** Beginning of the notice of an answer whose hits could not be reranked. */
export const NOT_RERANKED = 'The hits are not reranked.';

/** Makes the notice of an answer that was found by words only. */
export function wordsOnly({ message, remedy }: DocfuseError): string {
  return `This answer was found by words only, not by meaning. ${message} ${remedy}`;
}
