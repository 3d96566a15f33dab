/** Wraps marked text to a width counted in terminal cells. */
import { cellsOf, charactersOf } from './cells.ts';

/** A grapheme, the cells it fills, and whether it is part of a match. */
interface Cell {
  readonly text: string;
  readonly width: number;
  readonly marked: boolean;
}

export type MarkedText = readonly { readonly text: string; readonly marked: boolean }[];

/**
 * Breaks at spaces and between wide characters, and inside a word only if the word is wider than a line. Web addresses stay
 * whole, so that a terminal can open them. Line breaks are kept, blank lines are not.
 * @param mark prints marked text
 * @param indents keeps the indents of the text, for code
 * @returns lines of at most `width` cells, except those with one long address, and the index of the line that holds the longest
 *   mark: the first one of equal length, 0 without marks
 */
export function wrap(
  text: MarkedText,
  width: number,
  mark: (text: string) => string,
  indents = false,
): { readonly lines: string[]; readonly marked: number } {
  const lines = splitLines(toCells(text)).flatMap((line) => wrapLine(line, width, indents));
  return {
    lines: lines.map((line) => print(line, mark)),
    marked: longestMark(lines),
  };
}

function longestMark(lines: readonly (readonly Cell[])[]): number {
  let best = { line: 0, length: 0 };
  for (const [line, cells] of lines.entries()) {
    let length = 0;
    for (const { marked } of cells) {
      length = marked ? length + 1 : 0;
      if (length > best.length) best = { line, length };
    }
  }
  return best.line;
}

function toCells(text: MarkedText): Cell[] {
  return text.flatMap((part) =>
    charactersOf(part.text.replaceAll('\t', '  ')).map((character) => ({
      text: character,
      width: cellsOf(character),
      marked: part.marked,
    })),
  );
}

function splitLines(cells: readonly Cell[]): Cell[][] {
  const lines: Cell[][] = [[]];
  for (const cell of cells) {
    if (cell.text.endsWith('\n')) lines.push([]);
    else lines.at(-1)!.push(cell);
  }
  return lines;
}

function wrapLine(cells: readonly Cell[], width: number, indents: boolean): Cell[][] {
  const lines: Cell[][] = [];
  let line: Cell[] = [];
  let used = 0;
  for (const unit of unitsOf(cells)) {
    const wide = widthOf(unit);
    if (used + wide > width && line.length > 0) {
      lines.push(line);
      line = [];
      used = 0;
    }
    const indent = indents && lines.length === 0 && wide < width;
    if (line.length === 0 && isSpace(unit[0]!) && !indent) continue;
    if (wide <= width || isAddress(unit)) {
      line.push(...unit);
      used += wide;
      continue;
    }
    for (const cell of unit) {
      if (used + cell.width > width) {
        lines.push(line);
        line = [];
        used = 0;
      }
      line.push(cell);
      used += cell.width;
    }
  }
  lines.push(line);
  return lines.map(trimEnd).filter((each) => each.length > 0);
}

/** The parts that stay together: a run of spaces, one wide character, a word. */
function unitsOf(cells: readonly Cell[]): Cell[][] {
  const units: Cell[][] = [];
  let last = '';
  for (const cell of cells) {
    const kind = isSpace(cell) ? 'space' : cell.width === 2 ? 'wide' : 'word';
    if (kind !== last || kind === 'wide') units.push([]);
    units.at(-1)!.push(cell);
    last = kind;
  }
  return units;
}

function isAddress(cells: readonly Cell[]): boolean {
  return /^\W{0,3}https?:\/\/\S/i.test(cells.map(({ text }) => text).join(''));
}

function print(cells: readonly Cell[], mark: (text: string) => string): string {
  let out = '';
  for (let start = 0; start < cells.length; ) {
    const marked = cells[start]!.marked;
    let end = start + 1;
    while (end < cells.length && cells[end]!.marked === marked) end++;
    const run = cells
      .slice(start, end)
      .map((cell) => cell.text)
      .join('');
    out += marked ? mark(run) : run;
    start = end;
  }
  return out;
}

function trimEnd(cells: Cell[]): Cell[] {
  let end = cells.length;
  while (end > 0 && isSpace(cells[end - 1]!)) end--;
  return cells.slice(0, end);
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

function isSpace(cell: Cell): boolean {
  return cell.text.trim() === '';
}
