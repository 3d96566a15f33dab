/** Finds the headings above a line of a passage. */
import { readBlockMarks } from './block-marks.ts';
import { stretchFinder } from './lines.ts';
import { plainMarkdown } from './plain-markdown.ts';

const HEADING = /^ {0,3}(#{1,6})[ \t]+(?=\S)/;
const CLOSING_MARKS = /[ \t]{1,9}#+[ \t]{0,9}$/;
/** The line of `=` or `-` below a heading. The text of the heading must be a paragraph of one line. */
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const PARAGRAPH = /^ {0,3}(?![-*+>#|]|\d{1,9}[.)])\S/;

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
  const open: { readonly level: number; readonly name: string }[] = [];
  const lines = text.split('\n').slice(0, line + 1);
  let start = 0;
  for (const [index, each] of lines.entries()) {
    const heading = codeAt(start) ? undefined : headingAt(lines, index);
    start += each.length + 1;
    if (!heading) continue;
    while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop();
    open.push(heading);
  }
  return open.map(({ name }) => name).filter((name) => name !== '');
}

function headingAt(lines: readonly string[], index: number) {
  const line = lines[index]!;
  const marks = HEADING.exec(line)?.[1];
  if (marks) return { level: marks.length, name: plainMarkdown(line.replace(CLOSING_MARKS, '')).text.trim() };
  const above = lines[index - 1] ?? '';
  const isHeading = UNDERLINE.test(line) && PARAGRAPH.test(above) && !lines[index - 2]?.trim();
  return isHeading
    ? { level: line.includes('=') ? 1 : 2, name: plainMarkdown(above).text.trim() }
    : undefined;
}

/** Compares letters and digits only: Markdown was removed from the two names by different rules. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => name.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  return one === other;
}
