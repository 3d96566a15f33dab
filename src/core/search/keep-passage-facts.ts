/** What is worked out of passages, kept from one search to the next: those of one folder meet the same passages again. */
import { trigramSet } from '../rank/trigrams.ts';
import { firstNewLine } from './line-of.ts';
import type { SearchServices } from './state.ts';

/** At most 11 MB of sketches. */
const MOST_KEPT = 16_384;

/** What stages ask of many passages that are not shown. */
export function keepPassageFacts({
  readTexts,
  readChunks,
}: Pick<SearchServices, 'readTexts' | 'readChunks'>): Pick<SearchServices, 'sketchOf' | 'firstLineOf'> {
  return {
    sketchOf: keepBySlot((slot) => trigramSet((readTexts([slot])[0] ?? '').trim()).sketch),
    firstLineOf: keepBySlot((slot) => readChunks([slot]).map(firstNewLine)[0]),
  };
}

/** Slots are never given to another passage, so what is kept cannot become wrong. When all places are taken, the oldest goes. */
export function keepBySlot<T>(make: (slot: number) => T): (slot: number) => T {
  const kept = new Map<number, T>();
  return (slot) => {
    const known = kept.get(slot);
    if (known !== undefined) return known;
    const made = make(slot);
    if (kept.size === MOST_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(slot, made);
    return made;
  };
}
