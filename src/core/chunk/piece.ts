/** What both strategies cut a document into, before it is dressed up as chunks. */

/** Pieces of a document lie end to end; each may begin by repeating some of the one before. */
export interface Piece {
  /** Offset at which the text begins, overlap included. */
  readonly start: number;
  /** Offset at which what is new begins: the end of the piece before. */
  readonly newStart: number;
  readonly end: number;
}
