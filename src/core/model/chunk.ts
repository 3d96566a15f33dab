/** The unit of retrieval, and the larger section that contains it. */
import type { CodeBlock } from './document.ts';

/** A contiguous stretch of a document's text. */
export interface Span {
  /** UTF-16 offsets into `ParsedDocument.text`: start inclusive, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** 1-based, inclusive lines of the file. */
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Hexadecimal digits of an id of a chunk or parent. They are 52 bits, so an id is exact as a number. In an index of ten million chunks,
 * the chance that two of them share an id is about 1 in 100.
 */
export const ID_DIGITS = 13;

export interface Parent extends Span {
  /** 13 hexadecimal digits, derived from document id, heading path and text. */
  readonly id: string;
  readonly headingPath: readonly string[];
}

export interface Chunk extends Span {
  /** 13 hexadecimal digits, derived from document id, heading path and text; equal files give equal ids. */
  readonly id: string;
  /** The document title, then the headings from the outermost down. */
  readonly headingPath: readonly string[];
  readonly text: string;
  /** Number of leading characters that repeat the end of the chunk before. */
  readonly overlap: number;
  /**
   * Sentences or a header row, one on each line, that introduce the list or table in which the chunk begins. Searched,
   * never shown.
   */
  readonly contextPrefix?: string;
  readonly codeBlocks: readonly CodeBlock[];
  readonly parentId?: string;
}

export interface ChunkedDocument {
  readonly chunks: readonly Chunk[];
  readonly parents: readonly Parent[];
}

/**
 * Returns the line of the file at an offset in a chunk.
 * @param at UTF-16 offset into the text of the chunk; at white space, the line of the next character is returned
 */
export function lineInChunk({ text, startLine }: Pick<Chunk, 'text' | 'startLine'>, at: number): number {
  // `startLine` is the line of the first character that is not white space.
  const first = text.search(/\S/);
  const blank = text.slice(at).search(/\S/);
  if (first < 0 || blank < 0) return startLine;
  return startLine + text.slice(first, at + blank).split('\n').length - 1;
}

/** Returns the first line of a chunk after its overlap with the chunk before. */
export function firstNewLine(chunk: Pick<Chunk, 'text' | 'startLine' | 'overlap'>): number {
  return lineInChunk(chunk, chunk.overlap);
}
