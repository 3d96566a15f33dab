/** Counts the terminal cells that a text fills, and breaks text and answers to a width. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Tab, line feed, and characters that fill one cell each and never combine. Anything else needs Unicode tables, which load
 * slower than the rest of a command.
 */
const SIMPLE = /^[\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

/** Counts the cells that a line fills. Characters that do not print fill no cell. */
export function cellsOf(line: string): number {
  if (SIMPLE.test(line)) return line.replaceAll(/[\t\n]/g, '').length;
  return (require('string-width') as typeof import('string-width')).default(line);
}

/** Splits a text into the characters a reader sees: a letter with its accents, an emoji with its parts. */
export function charactersOf(text: string): string[] {
  if (SIMPLE.test(text)) return text.split('');
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Matches the position after a wide character, such as a Chinese one. A text without spaces may be broken there. */
const AFTER_WIDE =
  /(?<=[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Hangul}])/u;

/**
 * Breaks wide lines at spaces. If a word is wider than a line, breaks it between wide characters; words without such characters
 * stay whole, so that paths and addresses can be clicked and copied. Colours are kept and have no width.
 * @param width in cells
 * @param indent of continued lines. @default two more than the line's own
 */
export function fitWidth(text: string, width: number, indent?: number): string {
  return text
    .split('\n')
    .flatMap((line) => (cellsOf(line) <= width ? [line] : breakLine(line, width, indent)))
    .join('\n');
}

function breakLine(line: string, width: number, indent: number | undefined): string[] {
  const deepest = Math.floor(width / 2);
  const own = line.length - line.trimStart().length;
  const margin = ' '.repeat(Math.min(indent ?? own + 2, deepest));
  const lines: string[] = [];
  let current = ' '.repeat(Math.min(own, deepest));
  let used = current.length;
  let gap = '';
  let empty = true;

  function add(word: string): void {
    const cells = cellsOf(word);
    if (!empty && used + gap.length + cells > width) {
      lines.push(current);
      current = margin;
      used = margin.length;
      gap = '';
    }
    current += gap + word;
    used += gap.length + cells;
    gap = '';
    empty = false;
  }

  for (const part of line.trimStart().replaceAll('\t', '  ').split(/( +)/)) {
    if (part.startsWith(' ')) gap += part;
    else if (cellsOf(part) <= width - margin.length) add(part);
    else for (const piece of part.split(AFTER_WIDE)) add(piece);
  }
  return [...lines, current];
}

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
 * @param mark returns a matched text as it is printed, for example in bold
 * @param indents whether to keep the indents of the text, as code needs
 * @returns `lines`: each at most `width` cells, except long addresses. `marked`: index of the first line with the longest match,
 *   or 0. `continued[i]`: whether line i goes on from line i - 1
 */
export function wrap(text: MarkedText, width: number, mark: (text: string) => string, indents = false) {
  const wrapped = splitLines(text).map((line) => wrapLine(line, width, indents));
  const lines = wrapped.flat().map((line) => groupsOf(line, ({ marked }) => marked));
  const marks = lines.map((runs) => Math.max(...runs.map((run) => (run[0]!.marked ? run.length : 0))));
  const print = (run: readonly Cell[]) => (run[0]!.marked ? mark(textOf(run)) : textOf(run));
  return {
    lines: lines.map((runs) => runs.map(print).join('')),
    marked: Math.max(0, marks.indexOf(Math.max(...marks))),
    continued: wrapped.flatMap((part) => part.map((_, index) => index > 0)),
  };
}

function splitLines(text: MarkedText): Cell[][] {
  const lines: Cell[][] = [[]];
  for (const { text: part, marked } of text) {
    for (const character of charactersOf(part.replaceAll('\t', '  '))) {
      if (character.endsWith('\n')) lines.push([]);
      else lines.at(-1)!.push({ text: character, width: cellsOf(character), marked });
    }
  }
  return lines;
}

const ADDRESS = /^\W{0,3}https?:\/\/\S/i;
const LIST_MARK = /^\s*(?:[-*+]|\d{1,9}[.)])\s+$/;

function wrapLine(cells: readonly Cell[], width: number, indents: boolean): Cell[][] {
  const lines: Cell[][] = [];
  let line: Cell[] = [];
  const breakBefore = (added: number) => {
    if (line.length === 0 || widthOf(line) + added <= width) return;
    lines.push(line);
    line = [];
  };
  // A unit is a run of spaces, a wide character or a word. It stays on one line if the line is wide enough.
  const kindOf = (cell: Cell) => (isSpace(cell) ? 'space' : cell.width === 2 ? cell : 'word');
  for (const unit of groupsOf(cells, kindOf)) {
    const added = widthOf(unit);
    const isAddress = ADDRESS.test(textOf(unit));
    if (!isAddress || !LIST_MARK.test(textOf(line))) breakBefore(added);
    const isIndent = indents && lines.length === 0 && added < width;
    if (line.length === 0 && isSpace(unit[0]!) && !isIndent) continue;
    if (added <= width || isAddress) {
      line.push(...unit);
      continue;
    }
    for (const cell of unit) {
      breakBefore(cell.width);
      line.push(cell);
    }
  }
  return [...lines, line]
    .map((each) => each.slice(0, each.findLastIndex((cell) => !isSpace(cell)) + 1))
    .filter((each) => each.length > 0);
}

/** Groups consecutive cells for which `keyOf` returns the same value. */
function groupsOf(cells: readonly Cell[], keyOf: (cell: Cell) => unknown): Cell[][] {
  const groups: Cell[][] = [];
  for (const cell of cells) {
    const group = groups.at(-1);
    if (group && keyOf(group[0]!) === keyOf(cell)) group.push(cell);
    else groups.push([cell]);
  }
  return groups;
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ text }) => text).join('');
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

function isSpace({ text }: Cell): boolean {
  return text.trim() === '';
}
