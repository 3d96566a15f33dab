/** Markdown to the text a reader sees, for places without formatting: a terminal, a notification. */
import { type Edit, readBlockMarks } from './block-marks.ts';
import { emphasisMarks } from './emphasis.ts';
import { type InlineSpan, inlineSpans } from './inline-spans.ts';
import type { Stretch } from './lines.ts';
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
  return applyEdits(text, inOrder([...edits, ...inlineEdits(text, code)]), ranges);
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
  const spans = outside(code, inlineSpans(text));
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

/** The spans, in order, that do not begin in one of the stretches, in order. */
function outside(stretches: readonly Stretch[], spans: readonly InlineSpan[]): readonly InlineSpan[] {
  let next = 0;
  return spans.filter(({ start }) => {
    while (next < stretches.length && stretches[next]![1] <= start) next++;
    return start < (stretches[next]?.[0] ?? Number.POSITIVE_INFINITY);
  });
}

/** Sorted, and what begins inside the edit before left out. */
function inOrder(edits: readonly Edit[]): Edit[] {
  let end = -1;
  return edits
    .filter((edit) => edit.end > edit.start)
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((edit) => {
      if (edit.start < end) return false;
      end = edit.end;
      return true;
    });
}

function applyEdits(text: string, edits: readonly Edit[], ranges: readonly Stretch[]): MarkedPlainText {
  let out = '';
  let at = 0;
  const borders = ranges.flat();
  const moved: number[] = [];
  const moveUpTo = (limit: number, toOffset: (border: number) => number) => {
    while (moved.length < borders.length && borders[moved.length]! <= limit) {
      moved.push(toOffset(borders[moved.length]!));
    }
  };
  for (const { start, end, shown } of edits) {
    const kept = out.length - at;
    moveUpTo(start, (border) => border + kept);
    out += text.slice(at, start);
    const from = out.length;
    moveUpTo(end - 1, () => from);
    out += shown;
    at = end;
  }
  const kept = out.length - at;
  moveUpTo(text.length, (border) => border + kept);
  out += text.slice(at);
  const shown = ranges.map((_, index): Stretch => [moved[2 * index]!, moved[2 * index + 1]!]);
  return { text: out, ranges: shown.filter(([start, end]) => start < end) };
}
