/** The unit of retrieval, and the larger section it came from. */
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

export interface Parent extends Span {
  /** 13 hexadecimal digits, derived from document id, position and text. */
  readonly id: string;
  readonly headingPath: readonly string[];
}

export interface Chunk extends Span {
  /** 13 hexadecimal digits, derived from document id, position and text; equal files give equal ids. */
  readonly id: string;
  /** The document title, then the headings from the outermost down. */
  readonly headingPath: readonly string[];
  readonly text: string;
  /** Number of leading characters that repeat the end of the chunk before. */
  readonly overlap: number;
  /**
   * Context prefix: a sentence or header row that introduces the list or table in which the chunk begins. Searched,
   * never shown.
   */
  readonly lead?: string;
  readonly codeBlocks: readonly CodeBlock[];
  readonly parentId?: string;
}

export interface ChunkedDocument {
  readonly chunks: readonly Chunk[];
  readonly parents: readonly Parent[];
}
