/** Keeps the best k of many scored slots in a bounded heap; equal scores are ordered by id. */
import type { Ranked } from '../model/hit.ts';
import { firstIndex } from '../text/lines.ts';

/**
 * Starts a selection of the best `k` (0 or more). The result does not depend on the order of the offers.
 * @param idOf the id that orders slots of equal score, ascending by UTF-16 units. It may take a read from disk, so it is called at the
 *   end, for as few slots as possible
 */
export function createTopK(k: number, idOf: (slot: number) => string) {
  // A binary heap in two arrays, with the least score at the root. An array of objects would box each score.
  const slots: number[] = [];
  const scores: number[] = [];
  /** Slots that are not in the heap and have the least score of the heap: their ids decide at the end. */
  const tied: number[] = [];

  function put(at: number, slot: number, score: number): void {
    slots[at] = slot;
    scores[at] = score;
  }

  function rise(slot: number, score: number): void {
    let at = slots.length;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!(score < scores[parent]!)) break;
      put(at, slots[parent]!, scores[parent]!);
      at = parent;
    }
    put(at, slot, score);
  }

  /** Puts a slot in place of the root. */
  function sink(slot: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= slots.length) break;
      if (child + 1 < slots.length && scores[child + 1]! < scores[child]!) child++;
      if (!(score > scores[child]!)) break;
      put(at, slots[child]!, scores[child]!);
      at = child;
    }
    put(at, slot, score);
  }

  function replaceLeast(slot: number, score: number): void {
    const [former, least] = [slots[0]!, scores[0]!];
    sink(slot, score);
    if (scores[0] === least) tied.push(former);
    else tied.length = 0;
  }

  /** Returns the first slots in the order of their ids. Takes time in proportion to the slots: all passages may score the same. */
  function firstById(from: readonly number[], count: number): readonly number[] {
    const first: { readonly slot: number; readonly id: string }[] = [];
    for (const slot of from) {
      const id = idOf(slot);
      const place = firstIndex(first.length, (at) => id < first[at]!.id);
      if (place === count) continue;
      first.splice(place, 0, { slot, id });
      first.length = Math.min(first.length, count);
    }
    return first.map(({ slot }) => slot);
  }

  return {
    /** Minimum score to be kept; −Infinity while fewer than k slots are kept. */
    get least(): number {
      return slots.length < k ? Number.NEGATIVE_INFINITY : (scores[0] ?? Number.POSITIVE_INFINITY);
    },
    /** Offers a slot. Offer each slot at most once. */
    offer(slot: number, score: number): void {
      if (slots.length < k) rise(slot, score);
      else if (score === scores[0]) tied.push(slot);
      else if (score > scores[0]!) replaceLeast(slot, score);
    },
    /** The kept slots, best first. */
    ranked(): readonly Ranked[] {
      const kept = slots.map((slot, at) => ({ slot, score: scores[at]! }));
      const above = kept.filter(({ score }) => score !== scores[0]);
      above.sort((a, b) => b.score - a.score || (idOf(a.slot) < idOf(b.slot) ? -1 : 1));
      const least = [...tied, ...slots.filter((_, at) => scores[at] === scores[0])];
      return above.concat(firstById(least, k - above.length).map((slot) => ({ slot, score: scores[0]! })));
    },
  };
}
