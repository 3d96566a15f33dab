/** On which line of its file a place of a chunk stands. */
import type { ChunkRecord } from '../ports.ts';

/** @param at UTF-16 offset into the text of the chunk; blank space there counts as the character after it */
export function lineOf({ text, startLine }: Pick<ChunkRecord, 'text' | 'startLine'>, at: number): number {
  // `startLine` is that of the first character that is not blank.
  const first = text.search(/\S/);
  const blank = text.slice(at).search(/\S/);
  if (first < 0 || blank < 0) return startLine;
  return startLine + text.slice(first, at + blank).split('\n').length - 1;
}

/** The line on which the text begins that the chunk before does not end with. */
export function firstNewLine(chunk: Pick<ChunkRecord, 'text' | 'startLine' | 'overlap'>): number {
  return lineOf(chunk, chunk.overlap);
}
