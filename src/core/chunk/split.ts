/** Splits a text that is too long for one chunk: at blocks, then lines, sentences, words, graphemes. */
import type { Block } from '../model/document.ts';
import { sentenceBoundaries, wordBoundaries } from '../text/boundaries.ts';
import { trimSpan } from '../text/lines.ts';
import type { ChunkingSettings } from './settings.ts';
import { blockUnits, finerUnits, LEVELS, type Piece, type Unit } from './units.ts';

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
   * Min start of an overlap: the end of the last heading, code or table, or, if later, the start of the open piece's new text.
   */
  let repeatableFrom = start;

  const add = (unit: Unit) => {
    if (contentStart === -1) contentStart = unit.contentStart;
    contentEnd = unit.contentEnd;
    lastHeading = unit.kind === 'heading' ? unit : undefined;
    if (unit.kind !== 'prose') repeatableFrom = unit.end;
  };
  /** Closes the piece before `unit`, or before the heading that precedes `unit`. */
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
      const isCuttable = unit.kind === 'prose' && LEVELS[level + 1] !== 'grapheme';
      const finer = LEVELS[level + 1];
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

/** Returns the first start of a sentence, else of a word, at most `room` characters before `cut`; `cut` if there is none. */
function overlapStart(text: string, from: number, cut: number, room: number): number {
  const earliest = Math.max(from, cut - room);
  if (earliest >= cut) return cut;
  for (const boundaries of [sentenceBoundaries, wordBoundaries]) {
    // Search one character more: a boundary may be exactly at the first allowed place.
    for (const boundary of boundaries(text, Math.max(from, earliest - 1), cut))
      if (boundary >= earliest) return boundary;
  }
  return cut;
}
