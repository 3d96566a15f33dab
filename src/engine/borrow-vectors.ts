/** Takes the vectors of texts from other indexes, so that a folder which lies in two indexes is embedded once. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Embedder } from '../core/ports.ts';
import { vectorKey } from './workspace/vector-key.ts';

/** Returns the vectors that an index has for some keys. Throws if the index cannot be read now. */
export type Lender = (model: string, keys: Iterable<string>) => ReadonlyMap<string, Float32Array>;

/** Fewer texts, such as those of a saved file, are embedded sooner than other indexes are opened. */
const MIN_TEXTS = 16;

/** @param listLenders called once, when many texts are to be embedded. If it throws, nothing is borrowed */
export function borrowVectors(inner: Embedder, listLenders: () => readonly Lender[]): Embedder {
  let lenders: readonly Lender[] | undefined;

  function list(): readonly Lender[] {
    try {
      return listLenders();
    } catch {
      return [];
    }
  }

  async function borrow(keys: readonly string[], signal: AbortSignal | undefined) {
    const vectors = new Map<string, Float32Array>();
    const wanted = new Set(keys);
    lenders ??= list();
    for (const lend of lenders) {
      try {
        for (const [key, vector] of lend(inner.model, wanted)) {
          vectors.set(key, vector);
          wanted.delete(key);
        }
      } catch {
        // An index that is damaged, locked or of another version is not asked again.
        lenders = lenders.filter((each) => each !== lend);
      }
      await nextTurn(); // lets signals, progress and questions have their turn
      signal?.throwIfAborted();
    }
    return vectors;
  }

  return {
    ...inner,
    async embedPassages(texts, signal) {
      if (texts.length < MIN_TEXTS) return inner.embedPassages(texts, signal);
      const keys = texts.map(vectorKey);
      const known = await borrow(keys, signal);
      const others = texts.filter((_, index) => !known.has(keys[index]!));
      const made = others.length > 0 ? await inner.embedPassages(others, signal) : [];
      let next = 0;
      return keys.map((key) => known.get(key) ?? made[next++]!);
    },
  };
}
