/** Splits a text that is too long for one chunk: at blocks, then lines, sentences, words, graphemes. */
import type { Block } from '../model/document.ts';
import {
  lastGraphemeBoundary,
  lineBoundaries,
  sentenceBoundaries,
  wordBoundaries,
} from '../text/boundaries.ts';
import { trimSpan } from '../text/lines.ts';
import type { ChunkingSettings } from './settings.ts';

export type SplitLimits = Pick<ChunkingSettings, 'minChars' | 'maxChars' | 'overlapChars'>;

/**
 * Packs units into pieces, each as long as the limit allows. A heading stays with the text after it, so a piece may exceed
 * `maxChars` by one heading and the blank lines after it.
 * @param blocks blocks from `start` to `end`
 */
export function split(
  text: string,
  blocks: readonly Block[],
  start: number,
  end: number,
  limits: SplitLimits,
): readonly Piece[] {
  const { minChars, maxChars } = limits;
  const overlapChars = Math.min(limits.overlapChars, Math.floor(maxChars / 2));
  const pieces: Piece[] = [];
  /**
   * The open piece: its start, the start of its new text, and the start and end of its content. While the piece is empty,
   * `contentStart` is −1.
   */
  let pieceStart = start;
  let newStart = start;
  let contentStart = -1;
  let contentEnd = start;
  /** The last unit of the open piece, if the unit is a heading. */
  let lastHeading: Unit | undefined;
  /**
   * Min start of an overlap: end of the last heading, code or table, or start of the open piece's new text, whichever is later.
   */
  let repeatableFrom = start;

  const add = (unit: Unit) => {
    if (contentStart === -1) contentStart = unit.contentStart;
    contentEnd = unit.contentEnd;
    lastHeading = unit.kind === 'heading' ? unit : undefined;
    if (unit.kind !== 'prose') repeatableFrom = unit.end;
  };
  /** Ends the open piece at the start of `unit`, or of the heading right before `unit`. */
  const cutBefore = (unit: Unit) => {
    const next = lastHeading ?? unit;
    const room = Math.min(overlapChars, maxChars - (unit.contentEnd - unit.start));
    pieces.push({ start: pieceStart, newStart, end: next.start });
    pieceStart = next.kind === 'heading' ? next.start : overlapStart(text, repeatableFrom, unit.start, room);
    newStart = next.start;
    repeatableFrom = Math.max(repeatableFrom, newStart);
    contentStart = pieceStart < newStart ? trimSpan(text, pieceStart, newStart)[0] : next.contentStart;
    contentEnd = next.contentEnd;
  };
  const pack = (units: Iterable<Unit>, level: number) => {
    for (const unit of units) {
      if (unit.contentStart === unit.contentEnd) continue;
      const fits = contentStart === -1 || unit.contentEnd - contentStart <= maxChars;
      const isTooLong = unit.contentEnd - unit.contentStart > maxChars;
      const isPieceShort = contentStart !== -1 && contentEnd - contentStart < minChars;
      const finer = LEVELS[level];
      const isCuttable = unit.kind === 'prose' && finer !== graphemeBoundaries;
      if (!isTooLong && fits) {
        add(unit);
      } else if (finer && (isTooLong || (isPieceShort && isCuttable && !lastHeading))) {
        pack(finerUnits(text, unit, finer, maxChars - overlapChars), level + 1);
      } else {
        const isHeadingAlone = lastHeading !== undefined && contentStart === lastHeading.contentStart;
        if (contentStart !== -1 && !isHeadingAlone) cutBefore(unit);
        add(unit);
      }
    }
  };

  pack(blockUnits(text, blocks, start, end), 0);
  pieces.push({ start: pieceStart, newStart, end });
  return pieces;
}

/** Returns the first start of a sentence at most `room` characters before `cut`; else the first start of a word; else `cut`. */
function overlapStart(text: string, from: number, cut: number, room: number): number {
  const earliest = Math.max(from, cut - room);
  if (earliest >= cut) return cut;
  for (const boundaries of [sentenceBoundaries, wordBoundaries]) {
    // Start one character earlier, because the functions exclude both ends of the range.
    for (const boundary of boundaries(text, Math.max(from, earliest - 1), cut))
      if (boundary >= earliest) return boundary;
  }
  return cut;
}

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

/** A stretch of text that stays together if possible. Between two units, there is no gap. */
interface Unit {
  /** `solid` is code or a table: it is cut only if it is too long, and never repeated as overlap. */
  readonly kind: 'heading' | 'solid' | 'prose';
  readonly start: number;
  readonly end: number;
  /** `contentStart` and `contentEnd`: the unit without the blank space around it. If the unit is blank, both are `start`. */
  readonly contentStart: number;
  readonly contentEnd: number;
}

/** Levels at which a unit that is too long is cut, from coarse to fine. */
const LEVELS = [lineBoundaries, sentenceBoundaries, wordBoundaries, graphemeBoundaries];

const UNIT_KINDS: Partial<Record<Block['kind'], Unit['kind']>> = {
  heading: 'heading',
  code: 'solid',
  table: 'solid',
};

/** Yields one unit per block. Blank lines belong to the block before them. */
function* blockUnits(text: string, blocks: readonly Block[], start: number, end: number): Generator<Unit> {
  if (blocks.length === 0) yield unit(text, 'prose', start, end);
  for (const [index, block] of blocks.entries()) {
    const kind = UNIT_KINDS[block.kind] ?? 'prose';
    yield unit(text, kind, index === 0 ? start : block.start, blocks[index + 1]?.start ?? end);
  }
}

/** Cuts a unit into units of a finer level. @param run maximum length of a unit between graphemes, in UTF-16 units */
function* finerUnits(
  text: string,
  whole: Unit,
  finer: typeof graphemeBoundaries,
  run: number,
): Generator<Unit> {
  const kind = whole.kind === 'solid' ? 'solid' : 'prose';
  let start = whole.start;
  for (const boundary of finer(text, whole.start, whole.end, run)) {
    yield unit(text, kind, start, boundary);
    start = boundary;
  }
  yield unit(text, kind, start, whole.end);
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
