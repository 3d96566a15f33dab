/** The semantic index, loaded at its first use: the model, and the vectors of all chunks. */
import { DocfuseError } from '../../core/errors.ts';
import { createSemanticRetriever, type SemanticRetriever } from '../../core/indexes/semantic.ts';
import type { Embedder, VectorScan } from '../../core/ports.ts';
import type { VectorStore } from '../../core/storage.ts';

export interface SemanticIndex {
  readonly embedder: Embedder;
  readonly semantic: SemanticRetriever;
  readonly scan: VectorScan;
  /** Unit vector of a chunk, most often from memory; undefined while it has none. */
  readonly vectorOf: (slot: number) => Float32Array | undefined;
}

/**
 * Float32 vectors kept in memory, at most 25 MB: a query scores some hundred exactly, and each costs 10 µs on disk. Slots are
 * never given to another chunk, so what is kept cannot become wrong.
 */
const KEPT_VECTORS = 16_384;

/** Opens the model and loads the vectors made with it. */
export async function loadSemanticIndex(
  store: VectorStore,
  openEmbedder: () => Promise<Embedder>,
  openScan: () => Promise<VectorScan>,
  idOf: (slot: number) => string,
): Promise<SemanticIndex> {
  const [embedder, scan] = await Promise.all([openEmbedder(), openScan()]);
  const { model, dimensions } = embedder;
  const kept = new Map<number, Float32Array>();
  function keep(slot: number, vector: Float32Array | undefined): Float32Array | undefined {
    if (vector && kept.size < KEPT_VECTORS) kept.set(slot, vector);
    return vector;
  }
  // A vector that was made after this was loaded is read from the store.
  const vectorOf = (slot: number) => kept.get(slot) ?? keep(slot, store.vector(model, slot));
  const semantic = createSemanticRetriever({ dimensions, scan, vectorOf, idOf });
  for (const { slot, vector } of store.vectors(model)) {
    semantic.addVector(slot, vector);
    keep(slot, vector);
  }
  return { embedder, semantic, scan, vectorOf };
}

/**
 * Whether search can go on by words alone: the runtime is optional and a service may be away; a wrong setting is an
 * error.
 */
export function isEmbeddingUnavailable(error: unknown): error is DocfuseError {
  return error instanceof DocfuseError && (error.code === 'runtime_missing' || error.code === 'remote');
}

/** The notice of an answer found by words alone. */
export function wordsOnly({ message, remedy }: DocfuseError): string {
  return `This answer is by words only. ${message} ${remedy}`;
}
