/** Takes some lines of a document, as many as fit. */
import { openFence } from '../../core/text/block-marks.ts';
import type { DocumentText } from './documents-api.ts';

interface Wanted {
  /** Lines of the file, inclusive. Lines that are not in `lines` are left out. */
  readonly startLine: number;
  readonly endLine: number;
  /** @default no limit */
  readonly maxChars?: number | undefined;
}

/**
 * @param lines consecutive lines of the document; the first line must not be inside a code block
 * @param firstLine line of the file that `lines` begins with
 */
export function sliceLines(
  lines: readonly string[],
  firstLine: number,
  { startLine, endLine, maxChars = Number.POSITIVE_INFINITY }: Wanted,
): Pick<DocumentText, 'text' | 'startLine' | 'endLine' | 'truncated' | 'fence'> {
  const from = Math.max(startLine, firstLine);
  const kept = cut(lines.slice(from - firstLine, endLine - firstLine + 1), maxChars);
  const fence = openFence(lines.slice(0, from - firstLine));
  return {
    text: kept.lines.join('\n'),
    startLine: from,
    endLine: from + kept.lines.length - 1,
    truncated: kept.truncated,
    ...(fence !== undefined && { fence }),
  };
}

/** Keeps as many whole lines as fit. If the first line is too long, keeps its beginning. */
function cut(lines: readonly string[], maxChars: number) {
  let used = -1;
  const fitting = lines.findIndex((line) => {
    used += line.length + 1;
    return used > maxChars;
  });
  if (fitting < 0) return { lines, truncated: false };
  if (fitting > 0) return { lines: lines.slice(0, fitting), truncated: true };
  return { lines: [lines[0]!.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')], truncated: true };
}
