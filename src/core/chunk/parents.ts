/** Groups consecutive pieces into parents: larger sections that are shown instead of their pieces. */
import type { ParsedDocument } from '../model/document.ts';
import { trimSpan } from '../text/lines.ts';
import type { Outline } from './outline.ts';
import type { ChunkingSettings } from './settings.ts';
import type { Piece } from './units.ts';

export interface ParentSpan {
  readonly start: number;
  readonly end: number;
  /** Number of pieces in the parent. */
  readonly pieces: number;
}

type Limits = Pick<ChunkingSettings, 'parentMinChars' | 'parentMaxChars'>;

/**
 * Groups pieces under the same level 1 heading, as many as fit in `parentMaxChars`. Once a parent has `parentMinChars`, it ends
 * before the next piece that begins a section. Parents are adjacent and cover the whole document.
 */
export function groupParents(
  document: ParsedDocument,
  outline: Outline,
  pieces: readonly Piece[],
  { parentMinChars, parentMaxChars }: Limits,
): readonly ParentSpan[] {
  const parents: ParentSpan[] = [];
  const length = (start: number, end: number) => {
    const [first, last] = trimSpan(document.text, start, end);
    return last - first;
  };
  for (const { newStart, end } of pieces) {
    const open = parents.at(-1);
    const section = outline.sectionAt(newStart);
    const isFull =
      open === undefined ||
      outline.topOf(outline.sectionAt(open.start)) !== outline.topOf(section) ||
      length(open.start, end) > parentMaxChars ||
      (outline.sections[section]!.start === newStart && length(open.start, open.end) >= parentMinChars);
    if (isFull) parents.push({ start: newStart, end, pieces: 1 });
    else parents[parents.length - 1] = { start: open.start, end, pieces: open.pieces + 1 };
  }
  return parents;
}
