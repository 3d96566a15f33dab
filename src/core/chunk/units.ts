/** Units of splitting: blocks first, then ever smaller ones for what is too long; and the pieces they are packed into. */
import type { Block } from '../model/document.ts';
import { lastGraphemeBoundary, sentenceBoundaries, wordBoundaries } from '../text/boundaries.ts';
import { trimSpan } from '../text/lines.ts';

/** Pieces of a document lie end to end; each may begin by repeating some of the one before. */
export interface Piece {
  /** Offset at which the text begins, overlap included. */
  readonly start: number;
  /** Offset at which what is new begins: the end of the piece before. */
  readonly newStart: number;
  readonly end: number;
}

/** A stretch that is kept together if it can be; units lie end to end. */
export interface Unit {
  /** `solid` is code or a table: never cut for convenience and never repeated as overlap. */
  readonly kind: 'heading' | 'solid' | 'prose';
  readonly start: number;
  readonly end: number;
  /** The unit without blank space around it; both equal to `start` if it is blank. */
  readonly contentStart: number;
  readonly contentEnd: number;
}

/** What a unit is cut into when it is too long, from coarse to fine. */
export const LEVELS = ['block', 'line', 'sentence', 'word', 'grapheme'] as const;
export type Level = (typeof LEVELS)[number];

/** One unit per block, blank lines with the block before them. */
export function* blockUnits(
  text: string,
  blocks: readonly Block[],
  start: number,
  end: number,
): Generator<Unit> {
  if (blocks.length === 0) yield unit(text, 'prose', start, end);
  for (const [index, block] of blocks.entries()) {
    const kind =
      block.kind === 'code' || block.kind === 'table'
        ? 'solid'
        : block.kind === 'heading'
          ? 'heading'
          : 'prose';
    yield unit(text, kind, index === 0 ? start : block.start, blocks[index + 1]?.start ?? end);
  }
}

/** Cuts a unit into units of a finer level; graphemes come in runs of at most `run`. */
export function* finerUnits(text: string, whole: Unit, level: Level, run: number): Generator<Unit> {
  const kind = whole.kind === 'solid' ? 'solid' : 'prose';
  let start = whole.start;
  for (const boundary of boundariesOf(level, text, whole.start, whole.end, run)) {
    yield unit(text, kind, start, boundary);
    start = boundary;
  }
  yield unit(text, kind, start, whole.end);
}

function boundariesOf(level: Level, text: string, start: number, end: number, run: number): Iterable<number> {
  switch (level) {
    case 'block':
      return [];
    case 'line':
      return lineBoundaries(text, start, end);
    case 'sentence':
      return sentenceBoundaries(text, start, end);
    case 'word':
      return wordBoundaries(text, start, end);
    case 'grapheme':
      return graphemeBoundaries(text, start, end, run);
  }
}

function* lineBoundaries(text: string, start: number, end: number): Generator<number> {
  for (let at = text.indexOf('\n', start); at !== -1 && at + 1 < end; at = text.indexOf('\n', at + 1))
    yield at + 1;
}

function* graphemeBoundaries(text: string, start: number, end: number, run: number): Generator<number> {
  for (
    let at = lastGraphemeBoundary(text, start, start + run);
    at < end;
    at = lastGraphemeBoundary(text, at, at + run)
  ) {
    yield at;
  }
}

function unit(text: string, kind: Unit['kind'], start: number, end: number): Unit {
  const [contentStart, contentEnd] = trimSpan(text, start, end);
  return { kind, start, end, contentStart, contentEnd };
}
