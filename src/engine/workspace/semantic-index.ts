/** Loads the semantic index: the embedding model, and the vectors of all chunks. */
import { DocfuseError } from '../../core/errors.ts';
import { createSemanticRetriever, type SemanticOptions } from '../../core/indexes/semantic.ts';
import type { Embedder } from '../../core/ports.ts';
import type { VectorStore } from '../../core/storage.ts';

export type SemanticIndex = Awaited<ReturnType<typeof loadSemanticIndex>>;

/** Opens the model and loads the vectors made with it. */
export async function loadSemanticIndex(
  store: VectorStore,
  openEmbedder: () => Promise<Embedder>,
  { idOf, slotLimit }: Pick<SemanticOptions, 'idOf'> & { readonly slotLimit: () => number },
) {
  const embedder = await openEmbedder();
  const { model, dimensions } = embedder;
  const semantic = createSemanticRetriever({ dimensions, idOf, slots: slotLimit() });
  for (const { slot, packed } of store.vectors(model)) semantic.addPacked(slot, packed);
  return { embedder, semantic, vectorsOf: (slots: readonly number[]) => slots.map(semantic.vectorOf) };
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
