/** The `fixed` strategy: pieces with a fixed number of Unicode characters, regardless of structure. */
import {
  firstGraphemeBoundary,
  isGraphemeBoundary,
  lastGraphemeBoundary,
  wordBoundaries,
} from '../text/boundaries.ts';
import { isBlank } from '../text/lines.ts';
import { widthAt } from '../text/scripts.ts';
import type { ChunkingSettings } from './settings.ts';
import type { Piece } from './split.ts';

/**
 * Cuts a text into pieces of `chunkSize` characters. This length includes the overlap, but not the blank space around a piece.
 * A cut or the start of an overlap is at the start of a word if possible, and never inside a grapheme that fits in a piece.
 */
export function fixed(
  text: string,
  settings: Pick<ChunkingSettings, 'chunkSize' | 'chunkOverlap'>,
): readonly Piece[] {
  const size = Math.max(1, settings.chunkSize);
  const overlap = Math.min(settings.chunkOverlap, Math.floor(size / 2));
  const pieces: Piece[] = [];
  let start = 0;
  let newStart = 0;
  for (;;) {
    const end = pieceEnd(text, start, newStart, size);
    pieces.push({ start, newStart, end });
    if (end >= text.length) return pieces;
    start = overlapStart(text, newStart, end, overlap);
    newStart = end;
  }
}

/** Returns the end of a piece. A piece includes the blank space after it, so that no piece is blank. */
function pieceEnd(text: string, start: number, newStart: number, size: number): number {
  const limit = advance(text, skipBlank(text, start), size);
  if (limit >= text.length) return text.length;
  const cut = bestCut(text, skipBlank(text, newStart), limit);
  const end = skipBlank(text, cut);
  // Do not separate the last space from a combining character after it.
  return end === cut || isGraphemeBoundary(text, end) ? end : end - 1;
}

/** Returns `limit` if a blank follows it; else the last start of a word after the middle; else the last grapheme boundary. */
function bestCut(text: string, from: number, limit: number): number {
  const boundary = lastGraphemeBoundary(text, from, limit);
  if (boundary === limit && isBlank(text.charCodeAt(limit))) return limit;
  const middle = from + Math.floor((limit - from) / 2);
  let cut = -1;
  // Extend the range by one character on both sides, because `wordBoundaries` excludes both ends.
  for (const word of wordBoundaries(text, Math.max(from, middle - 1), limit + 1)) cut = word;
  return cut > from ? cut : boundary;
}

/** Returns where the overlap starts: at the first word that starts in the last `overlap` characters, else at a grapheme boundary. */
function overlapStart(text: string, from: number, end: number, overlap: number): number {
  const earliest = Math.max(from, retreat(text, end, overlap));
  if (earliest >= end) return end;
  if (earliest === from) return from;
  for (const boundary of wordBoundaries(text, earliest - 1, end)) if (boundary >= earliest) return boundary;
  return firstGraphemeBoundary(text, from, earliest, end);
}

function skipBlank(text: string, from: number): number {
  while (from < text.length && isBlank(text.charCodeAt(from))) from++;
  return from;
}

/** Returns the offset `count` code points after `from`. */
function advance(text: string, from: number, count: number): number {
  for (; count > 0 && from < text.length; count--) from += widthAt(text, from);
  return Math.min(from, text.length);
}

/** Returns the offset `count` code points before `from`. */
function retreat(text: string, from: number, count: number): number {
  for (; count > 0 && from > 0; count--) from -= from > 1 ? widthAt(text, from - 2) : 1;
  return from;
}
