/** Finds lines, stretches and blank space. */

/** A part of a text, in UTF-16 offsets: start inclusive, end exclusive. */
export type Stretch = readonly [start: number, end: number];

export type LineIndex = ReturnType<typeof indexLines>;

/** Turns CRLF and lone CR into LF. CommonMark and editors treat all three as line breaks, so line numbers stay the same. */
export function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Converts offsets of a text to lines, counted from 0, and lines to offsets. Only LF breaks a line; form feed and U+2028 are ordinary characters. */
export function indexLines(text: string) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    /** Number of lines. A text that ends in a line break has an empty last line, as in an editor. */
    count: starts.length,
    /** Offset where a line begins; the length of the text for a line after the last. */
    startOf: (line: number) => starts[line] ?? text.length,
    lineAt: (offset: number) => firstIndex(starts.length, (line) => starts[line]! > offset) - 1,
  };
}

/** Trims blank characters from both ends of a stretch. Returns an empty stretch at `start` if all is blank. */
export function trimSpan(text: string, start: number, end: number): Stretch {
  const part = text.slice(start, end);
  const trimmed = part.trimStart();
  if (trimmed === '') return [start, start];
  return [end - trimmed.length, start + part.trimEnd().length];
}

/** Whether a UTF-16 unit is white space to `String.prototype.trim`. */
export function isBlank(unit: number): boolean {
  if (unit < 128) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit >= 160 && /\s/.test(String.fromCharCode(unit));
}

/** Makes a function that finds the stretch around an offset. Stretches must be sorted, and calls must be in ascending order. */
export function stretchFinder(stretches: readonly Stretch[]): (offset: number) => Stretch | undefined {
  let next = 0;
  return (offset) => {
    while (next < stretches.length && stretches[next]![1] <= offset) next++;
    const stretch = stretches[next];
    return stretch && stretch[0] <= offset ? stretch : undefined;
  };
}

/** Returns the first index below `count` that passes, else `count`. If an index passes, all later indexes must pass. */
export function firstIndex(count: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
