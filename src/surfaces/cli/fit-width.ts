/** Breaks the lines of an answer that are wider than the terminal. */
import { cellsOf } from './cells.ts';

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
