/** Markdown to the text a reader sees, for places without formatting: a terminal, a notification. */
import { readBlockMarks } from './block-marks.ts';
import { applyEdits, type Edit, inOrder } from './edits.ts';
import { emphasisMarks } from './emphasis.ts';
import { inlineSpans } from './inline-spans.ts';
import { type Stretch, stretchFinder } from './lines.ts';
import { withoutLinkDefinitions } from './link-definitions.ts';

export interface MarkedPlainText {
  readonly text: string;
  /** Where the ranges given went; those of which nothing is shown are gone. */
  readonly ranges: readonly Stretch[];
}

/**
 * Takes marks off: links show their label, images their alternative text, code its content; emphasis, heading and quote
 * marks, fences, rules and HTML tags go; table cells are set apart by ` | `; the lines of a paragraph are joined.
 * Plain text stays as it is but for joined lines. Takes time linear in the text.
 * @param ranges in order, none overlapping the next
 */
export function plainMarkdown(text: string, ranges: readonly Stretch[] = []): MarkedPlainText {
  const { edits, code } = readBlockMarks(text);
  const plain = applyEdits(text, inOrder([...edits, ...inlineEdits(text, code)]));
  const moved = ranges.map(([start, end]): Stretch => [plain.moved(start), plain.moved(end)]);
  return { text: plain.text, ranges: moved.filter(([start, end]) => start < end) };
}

/** A word at the beginning, perhaps of a heading or an item: most texts are known by it. */
const BEGINS_WITH_WORD = /^\s*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)])\s+)?[\p{L}\p{N}]/u;

/**
 * Whether a reader sees anything of a piece of Markdown: false for blank text, link definitions, rules, comments, tags, and images
 * without alternative text.
 */
export function showsText(text: string): boolean {
  return BEGINS_WITH_WORD.test(text) || plainMarkdown(withoutLinkDefinitions(text)).text.trim() !== '';
}

function inlineEdits(text: string, code: readonly Stretch[]): Edit[] {
  const codeAt = stretchFinder(code);
  const spans = inlineSpans(text).filter(({ start }) => !codeAt(start));
  const hidden = spans.flatMap(({ start, end, shown }): Edit[] => [
    { start, end: shown[0], shown: '' },
    { start: shown[1], end, shown: '' },
  ]);
  const closed = [
    ...code,
    ...spans.flatMap((span): Stretch[] =>
      span.kind !== 'link'
        ? [[span.start, span.end]]
        : [
            [span.start, span.shown[0]],
            [span.shown[1], span.end],
          ],
    ),
  ].sort((a, b) => a[0] - b[0]);
  const marks = emphasisMarks(text, closed).map(([start, end]): Edit => ({ start, end, shown: '' }));
  return [...hidden, ...marks];
}
