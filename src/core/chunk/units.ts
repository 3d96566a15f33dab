/** Units of splitting, from blocks to graphemes, and the pieces that units are packed into. */
import type { Block } from '../model/document.ts';
import { lastGraphemeBoundary, sentenceBoundaries, wordBoundaries } from '../text/boundaries.ts';
import { trimSpan } from '../text/lines.ts';

/**
 * A part of a document that becomes a chunk. Pieces are adjacent, except that a piece may repeat the end of the piece before it.
 */
export interface Piece {
  /** Offset at which the piece begins, including its overlap. */
  readonly start: number;
  /** Offset at which the new text begins: the end of the piece before. */
  readonly newStart: number;
  readonly end: number;
}

/** A stretch that stays together if possible; units are adjacent. */
export interface Unit {
  /** `solid` is code or a table: it is cut only if it is too long, and never repeated as overlap. */
  readonly kind: 'heading' | 'solid' | 'prose';
  readonly start: number;
  readonly end: number;
  /** The unit without blank space around it; both are `start` if the unit is blank. */
  readonly contentStart: number;
  readonly contentEnd: number;
}

/** Levels at which a unit that is too long is cut, from coarse to fine. */
export const LEVELS = ['block', 'line', 'sentence', 'word', 'grapheme'] as const;
export type Level = (typeof LEVELS)[number];

/** Yields one unit per block. Blank lines belong to the block before them. */
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

/** Cuts a unit into units of a finer level. @param run maximum UTF-16 length of a unit at the level of graphemes */
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
