/** Takes the vectors of texts from other indexes, so that a folder which lies in two indexes is embedded once. */
import type { Embedder } from '../core/ports.ts';
import type { IndexPlace, VectorStore } from '../core/storage.ts';
import { lazyConstant } from '../core/text/lazy-constant.ts';
import { vectorKey } from './workspace/vector-key.ts';

/** Fewer texts, such as those of a saved file, are embedded sooner than other indexes are opened. */
const MIN_TEXTS = 16;

/** @param lenders returns the other indexes; called once, when many texts are to be embedded */
export function borrowVectors(inner: Embedder, lenders: () => readonly IndexPlace[]): Embedder {
  const places = lazyConstant(lenders);

  function borrowed(keys: ReadonlySet<string>): ReadonlyMap<string, Float32Array> {
    const vectors = new Map<string, Float32Array>();
    for (const place of places()) {
      try {
        const store = place.openFrozen();
        try {
          for (const key of keys) {
            const vector = vectors.get(key) ?? vectorOf(store, inner.model, key);
            if (vector) vectors.set(key, vector);
          }
        } finally {
          store.close();
        }
      } catch {
        // Without this index, which may be damaged, locked or of another version, the texts are embedded.
      }
    }
    return vectors;
  }

  return {
    ...inner,
    async embedPassages(texts, signal) {
      if (texts.length < MIN_TEXTS) return inner.embedPassages(texts, signal);
      const keys = texts.map(vectorKey);
      const known = borrowed(new Set(keys));
      const others = texts.filter((_, index) => !known.has(keys[index]!));
      const made = others.length > 0 ? await inner.embedPassages(others, signal) : [];
      let next = 0;
      return keys.map((key) => known.get(key) ?? made[next++]!);
    },
  };
}

function vectorOf(store: VectorStore, model: string, key: string): Float32Array | undefined {
  for (const slot of store.slotsOfVectorKeys([key])) {
    const vector = store.vector(model, slot);
    if (vector) return vector;
  }
  return undefined;
}
