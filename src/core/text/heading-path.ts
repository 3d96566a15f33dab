/** Finds the headings above a line of a passage. */
import { readBlockMarks } from './block-marks.ts';
import { headingLines } from './heading-lines.ts';
import { stretchFinder } from './lines.ts';
import { plainMarkdown } from './plain-markdown.ts';

const CLOSING_MARKS = /[ \t]{1,9}#+[ \t]{0,9}$/;

/**
 * Returns the heading path of a passage, continued by the headings inside the passage that apply to `line`.
 * @param path headings that apply to all lines of the passage, from the outermost down
 * @param line counted from 0 at the first line of `text` that is not blank
 */
export function headingPathAt(path: readonly string[], text: string, line: number): readonly string[] {
  const names = headingsAbove(text.slice(text.search(/\S|$/)), line);
  // The path may end with headings that are also in the passage.
  let known = Math.min(path.length, names.length);
  while (known > 0 && path.slice(-known).some((name, index) => !isSame(name, names[index]!))) known--;
  return [...path, ...names.slice(known)];
}

/** Returns the names of the headings that apply to a line, from the outermost down. */
function headingsAbove(text: string, line: number): readonly string[] {
  const codeAt = stretchFinder(readBlockMarks(text).code);
  let open: readonly { readonly level: number; readonly name: string }[] = [];
  const above = text.split('\n', line + 1).join('\n');
  for (const { start, level, line: marked } of headingLines(above)) {
    if (codeAt(start)) continue;
    open = [...open.filter((each) => each.level < level), { level, name: headingName(marked) }];
  }
  return open.map(({ name }) => name).filter((name) => name !== '');
}

/** Returns the visible text of the line of a heading. */
export function headingName(line: string): string {
  return plainMarkdown(/^ {0,3}#/.test(line) ? line.replace(CLOSING_MARKS, '') : line).text.trim();
}

/** Compares letters and digits only: Markdown was removed from the two names by different rules. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => name.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  return one === other;
}
