/** Sketches of passages, kept from one search to the next: those of one folder meet the same passages again. */
import { type TrigramSketch, trigramSet } from '../rank/trigrams.ts';

/** At most 11 MB. */
const MOST_KEPT = 16_384;

/**
 * Slots are never given to another passage, so what is kept cannot become wrong. When all places are taken, the oldest sketch goes.
 * @param textOf a slot; blank space at the ends of its text does not count
 */
export function keepSketches(textOf: (slot: number) => string): (slot: number) => TrigramSketch {
  const kept = new Map<number, TrigramSketch>();
  return (slot) => {
    const known = kept.get(slot);
    if (known) return known;
    const { sketch } = trigramSet(textOf(slot).trim());
    if (kept.size === MOST_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(slot, sketch);
    return sketch;
  };
}
