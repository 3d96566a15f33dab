/** Facts derived from passages, kept from one search to the next: searches of one folder meet the same passages again. */
import type { ChunkRecord } from '../ports.ts';
import { type TrigramSketch, trigramSet } from '../rank/trigrams.ts';
import type { Awaitable, Retrieval } from '../retrieval/retrieval.ts';

/** At most 11 MB of sketches. */
const MAX_KEPT = 16_384;

/** What stages need to know of many passages that are not shown. */
export interface PassageFacts {
  /** Of each passage, the sketch of its text without overlap. */
  readonly sketches: (slots: readonly number[]) => Promise<readonly TrigramSketch[]>;
  /** Of each passage, the first line after the overlap; undefined for a passage that is gone. */
  readonly firstLines: (slots: readonly number[]) => Promise<readonly (number | undefined)[]>;
}

export function keepPassageFacts({ texts, chunks }: Pick<Retrieval, 'texts' | 'chunks'>): PassageFacts {
  return {
    sketches: keepBySlot(async (slots) => (await texts(slots)).map((text) => trigramSet(text.trim()).sketch)),
    firstLines: keepBySlot(async (slots) =>
      (await chunks(slots)).map((chunk) => chunk && firstNewLine(chunk)),
    ),
  };
}

/** Keeps one fact for each slot. A slot is never given to another passage, so a kept fact stays right. When all places are taken, the oldest goes. */
export function keepBySlot<T>(
  make: (slots: readonly number[]) => Awaitable<readonly T[]>,
): (slots: readonly number[]) => Promise<readonly T[]> {
  const kept = new Map<number, T>();
  return async (slots) => {
    const known = new Map(slots.map((slot) => [slot, kept.get(slot)]));
    const missing = [...known.keys()].filter((slot) => known.get(slot) === undefined);
    for (const [place, made] of missing.length === 0 ? [] : (await make(missing)).entries()) {
      known.set(missing[place]!, made);
      if (kept.size === MAX_KEPT) kept.delete(kept.keys().next().value!);
      kept.set(missing[place]!, made);
    }
    return slots.map((slot) => known.get(slot)!);
  };
}

/**
 * The line of its file on which a place of a chunk stands.
 * @param at UTF-16 offset into the text of the chunk; blank space there counts as the character after it
 */
export function lineOf({ text, startLine }: Pick<ChunkRecord, 'text' | 'startLine'>, at: number): number {
  // `startLine` is that of the first character that is not blank.
  const first = text.search(/\S/);
  const blank = text.slice(at).search(/\S/);
  if (first < 0 || blank < 0) return startLine;
  return startLine + text.slice(first, at + blank).split('\n').length - 1;
}

/** The first line of a chunk that does not repeat the chunk before. */
export function firstNewLine(chunk: Pick<ChunkRecord, 'text' | 'startLine' | 'overlap'>): number {
  return lineOf(chunk, chunk.overlap);
}
