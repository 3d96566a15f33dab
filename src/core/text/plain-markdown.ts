/** Converts Markdown to its visible text, for places without formatting: a terminal, a notification. */
import { readBlockMarks } from './block-marks.ts';
import { applyEdits, type Edit, inOrder } from './edits.ts';
import { emphasisMarks } from './emphasis.ts';
import { inlineSpans } from './inline-spans.ts';
import { type Stretch, stretchFinder } from './lines.ts';
import { withoutLinkDefinitions } from './link-definitions.ts';

export interface MarkedPlainText {
  readonly text: string;
  /** The `ranges` that were passed, as offsets into `text`. Ranges without visible text are left out. */
  readonly ranges: readonly Stretch[];
}

/**
 * Removes Markdown marks. Links become their label, images their alternative text, code its content. Emphasis, heading and quote
 * marks, fences, rules and HTML tags are removed. Table cells are separated by ` | `, and the lines of a paragraph are joined.
 * Text without marks stays unchanged, except for joined lines. Takes time linear in the text.
 * @param ranges sorted, without overlaps
 */
export function plainMarkdown(text: string, ranges: readonly Stretch[] = []): MarkedPlainText {
  const { edits, code } = readBlockMarks(text);
  const plain = applyEdits(text, inOrder([...edits, ...inlineEdits(text, code)]));
  const moved = ranges.map(([start, end]): Stretch => [plain.moved(start), plain.moved(end)]);
  return { text: plain.text, ranges: moved.filter(([start, end]) => start < end) };
}

/** A text that begins with a word, also in a heading, item, quote or code span. Most texts match, which saves the conversion. */
const BEGINS_WITH_WORD = /^\s*(?:(?:#{1,6}|[-*+>|]|\d{1,9}[.)])\s+)*["'(“‘*_]*`?[\p{L}\p{N}]/u;

/**
 * Whether Markdown has visible text. False for blank text, link definitions, rules, comments, tags, and images without
 * alternative text.
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
