/** Lines, stretches and blank space: what a line is, for everything that reports a line number. */
import { firstIndex } from './first-index.ts';

/** A part of a text, in UTF-16 offsets: start inclusive, end exclusive. */
export type Stretch = readonly [start: number, end: number];

/** Maps between offsets into a text and its lines, which are counted from 0. */
export interface LineIndex {
  /** A text that ends in a line break has an empty last line, as in an editor. */
  readonly count: number;
  /** Offset at which a line begins; the text's length for lines past the end. */
  startOf(line: number): number;
  lineAt(offset: number): number;
}

/** Turns CRLF and lone CR, line breaks to CommonMark and to editors alike, into LF; line numbers stay true. */
export function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Indexes a text by line; only LF breaks a line, so form feed and U+2028 are ordinary characters. */
export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    count: starts.length,
    startOf: (line) => starts[line] ?? text.length,
    lineAt: (offset) => firstIndex(starts.length, (line) => starts[line]! > offset) - 1,
  };
}

/** Offsets of the first non-blank character in a stretch and of the end of the last; empty at `start` if all is blank. */
export function trimSpan(text: string, start: number, end: number): Stretch {
  let first = start;
  while (first < end && isBlank(text.charCodeAt(first))) first++;
  if (first === end) return [start, start];
  let last = end;
  while (isBlank(text.charCodeAt(last - 1))) last--;
  return [first, last];
}

/** Whether a UTF-16 unit is white space to `String.prototype.trim`. */
export function isBlank(unit: number): boolean {
  if (unit < 128) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit >= 160 && /\s/.test(String.fromCharCode(unit));
}

/** Tells the stretch that holds an offset. Stretches stand in order, and offsets must ascend. */
export function stretchFinder(stretches: readonly Stretch[]): (offset: number) => Stretch | undefined {
  let next = 0;
  return (offset) => {
    while (next < stretches.length && stretches[next]![1] <= offset) next++;
    const stretch = stretches[next];
    return stretch && stretch[0] <= offset ? stretch : undefined;
  };
}
