/** Facts derived from passages, cached between searches: searches of one folder often return the same passages. */
import { firstNewLine } from '../model/chunk.ts';
import type { Awaitable } from '../ports.ts';
import { trigramSet } from '../rank/trigrams.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';

/** Max number of cached facts of each kind, unless told otherwise. So many sketches take 11 MB. */
const MAX_KEPT = 16_384;

export type PassageFacts = ReturnType<typeof keepPassageFacts>;

/** Computes facts that stages need about many passages, including passages that are not shown. */
export function keepPassageFacts({ texts, chunks }: Pick<Retrieval, 'texts' | 'chunks'>) {
  return {
    /** Sketch of the text without overlap, for each passage. */
    sketches: keepBySlot(async (slots) => (await texts(slots)).map((text) => trigramSet(text.trim()).sketch)),
    /** First line after the overlap, for each passage; undefined for a deleted passage. */
    firstLines: keepBySlot(async (slots) =>
      (await chunks(slots)).map((chunk) => chunk && firstNewLine(chunk)),
    ),
  };
}

/**
 * Caches one fact per slot. A slot is never reused for another passage, so a cached fact stays right. If the cache is
 * full, the oldest fact is dropped.
 */
export function keepBySlot<T>(
  make: (slots: readonly number[]) => Awaitable<readonly T[]>,
  most = MAX_KEPT,
): (slots: readonly number[]) => Promise<readonly T[]> {
  const kept = new Map<number, T>();
  return async (slots) => {
    const known = new Map(slots.map((slot) => [slot, kept.get(slot)]));
    const missing = [...known.keys()].filter((slot) => known.get(slot) === undefined);
    for (const [place, made] of missing.length === 0 ? [] : (await make(missing)).entries()) {
      known.set(missing[place]!, made);
      if (kept.size === most) kept.delete(kept.keys().next().value!);
      kept.set(missing[place]!, made);
    }
    return slots.map((slot) => known.get(slot)!);
  };
}
