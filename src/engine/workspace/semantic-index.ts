/** Loads the semantic index: the embedding model, and the vectors of all chunks. */
import { DocfuseError } from '../../core/errors.ts';
import { createSemanticRetriever } from '../../core/indexes/semantic.ts';
import type { Embedder, VectorScan } from '../../core/ports.ts';
import type { VectorStore } from '../../core/storage.ts';

/**
 * Max vectors that are kept in memory after their first use, about 25 MB. A query scores some hundred vectors exactly, and reading
 * one from disk takes 10 µs. Kept vectors stay correct, because slots are never reused.
 */
const KEPT_VECTORS = 16_384;

export type SemanticIndex = Awaited<ReturnType<typeof loadSemanticIndex>>;

/** Opens the model and loads the vectors made with it. `vectorOf` returns the unit vector of a chunk; undefined if it has none yet. */
export async function loadSemanticIndex(
  store: VectorStore,
  openEmbedder: () => Promise<Embedder>,
  openScan: () => Promise<VectorScan>,
  idOf: (slot: number) => string,
) {
  const [embedder, scan] = await Promise.all([openEmbedder(), openScan()]);
  const { model, dimensions } = embedder;
  const kept = new Map<number, Float32Array>();
  function vectorOf(slot: number): Float32Array | undefined {
    const vector = kept.get(slot) ?? store.vector(model, slot);
    if (vector && kept.size < KEPT_VECTORS) kept.set(slot, vector);
    return vector;
  }
  const semantic = createSemanticRetriever({ dimensions, scan, vectorOf, idOf });
  for (const { slot, vector } of store.vectors(model)) semantic.addVector(slot, vector);
  return { embedder, semantic, scan, vectorOf, vectorsOf: (slots: readonly number[]) => slots.map(vectorOf) };
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
