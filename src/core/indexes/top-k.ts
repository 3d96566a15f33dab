/** Keeps the best k of many scored slots in a bounded heap; equal scores are ordered by id. */
import type { Ranked } from '../model/hit.ts';

export interface TopK {
  /** Considers a slot; each slot at most once. */
  offer(slot: number, score: number): void;
  /** What was kept, best first. */
  ranked(): readonly Ranked[];
}

/**
 * Starts a selection of the best `k` (0 or more). The outcome does not depend on the order of the offers.
 * @param idOf the id that orders slots of equal score, ascending by UTF-16 units
 */
export function createTopK(k: number, idOf: (slot: number) => string): TopK {
  /** A binary heap, the worst kept slot at the root. */
  const heap: Ranked[] = [];

  function worse(a: Ranked, b: Ranked): boolean {
    return a.score < b.score || (a.score === b.score && idOf(a.slot) > idOf(b.slot));
  }

  function rise(entry: Ranked): void {
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!worse(entry, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  function sink(entry: Ranked): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && worse(heap[child + 1]!, heap[child]!)) child++;
      if (!worse(heap[child]!, entry)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = entry;
  }

  return {
    offer(slot, score) {
      if (heap.length < k) return rise({ slot, score });
      const worst = heap[0];
      if (worst === undefined || score < worst.score) return;
      const entry = { slot, score };
      if (worse(worst, entry)) sink(entry);
    },
    ranked: () => heap.toSorted((a, b) => (worse(b, a) ? -1 : worse(a, b) ? 1 : 0)),
  };
}
