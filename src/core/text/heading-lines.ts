/** Finds headings in a part of a Markdown document, line by line. Lines of code may look like headings: the caller knows them. */

export interface HeadingLine {
  /** Offset of the line with the text of the heading. */
  readonly start: number;
  /** Offset of the end of the heading, which may be a line of `=` or `-` below its text. */
  readonly end: number;
  /** Number of lines above the heading. */
  readonly row: number;
  /** 1–6 */
  readonly level: number;
  /** The line with the text of the heading, including marks in front of it. */
  readonly line: string;
}

/** Begins a line that is no paragraph: a list, a quote, a table, a fence or a rule. */
const OTHER_BLOCK = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|[>|]|`{3}|~{3}|(?:[-*_][ \t]*){3,}$)/;
const HEADING = /^ {0,3}(?:(#{1,6})(?:[ \t].*)?|\S.*\n {0,3}(=+|-+)[ \t]*)$/gm;
/** A line that ends a paragraph. */
const NO_PARAGRAPH = /^\s*(?:$|`{3}|~{3})/;

export function* headingLines(text: string): Generator<HeadingLine> {
  let [row, counted, end] = [0, 0, -1];
  for (const { 0: whole, 1: marks, 2: underline, index: start } of text.matchAll(HEADING)) {
    const line = whole.split('\n', 1)[0]!;
    const before = text.slice(text.lastIndexOf('\n', start - 2) + 1, Math.max(0, start - 1));
    // The text above a line of marks must be a paragraph of one line.
    if (underline && (OTHER_BLOCK.test(line) || (start !== end + 1 && !NO_PARAGRAPH.test(before)))) continue;
    for (let at = text.indexOf('\n', counted); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) row++;
    counted = start;
    end = start + whole.length;
    const level = marks?.length ?? (underline!.startsWith('=') ? 1 : 2);
    yield { start, end, row, level, line };
  }
}
