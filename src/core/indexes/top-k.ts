/** Keeps the best k of many scored slots in a bounded heap; equal scores are ordered by id. */
import type { Ranked } from '../model/hit.ts';

/**
 * Starts a selection of the best `k` (0 or more). The result does not depend on the order of the offers.
 * @param idOf the id that orders slots of equal score, ascending by UTF-16 units
 */
export function createTopK(k: number, idOf: (slot: number) => string) {
  // A binary heap in two arrays, with the worst kept slot at the root. An array of objects would box each score.
  const slots: number[] = [];
  const scores: number[] = [];

  function isWorse(slot: number, score: number, at: number): boolean {
    return score < scores[at]! || (score === scores[at] && idOf(slot) > idOf(slots[at]!));
  }

  function put(at: number, slot: number, score: number): void {
    slots[at] = slot;
    scores[at] = score;
  }

  function rise(slot: number, score: number): void {
    let at = slots.length;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!isWorse(slot, score, parent)) break;
      put(at, slots[parent]!, scores[parent]!);
      at = parent;
    }
    put(at, slot, score);
  }

  function sink(slot: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= slots.length) break;
      if (child + 1 < slots.length && isWorse(slots[child + 1]!, scores[child + 1]!, child)) child++;
      if (isWorse(slot, score, child)) break;
      put(at, slots[child]!, scores[child]!);
      at = child;
    }
    put(at, slot, score);
  }

  return {
    /** Minimum score to be kept; −Infinity while fewer than k slots are kept. */
    get least(): number {
      return slots.length < k ? Number.NEGATIVE_INFINITY : (scores[0] ?? Number.POSITIVE_INFINITY);
    },
    /** Offers a slot. Offer each slot at most once. */
    offer(slot: number, score: number): void {
      if (slots.length < k) rise(slot, score);
      else if (slots.length > 0 && score >= scores[0]! && !isWorse(slot, score, 0)) sink(slot, score);
    },
    /** The kept slots, best first. */
    ranked: (): readonly Ranked[] =>
      slots
        .map((slot, at) => ({ slot, score: scores[at]! }))
        .sort((a, b) => b.score - a.score || (idOf(a.slot) < idOf(b.slot) ? -1 : 1)),
  };
}
