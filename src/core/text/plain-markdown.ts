/** Converts Markdown to its visible text, for places without formatting: a terminal, a notification. */
import { readBlockMarks } from './block-marks.ts';
import { applyEdits, type Edit, hide, inOrder } from './edits.ts';
import { inlineSpans } from './inline-spans.ts';
import { type Stretch, stretchFinder } from './lines.ts';
import { withoutLinkDefinitions } from './link-definitions.ts';

/**
 * Removes Markdown marks. Links become their label, images their alternative text, code its content. Emphasis, heading and quote
 * marks, fences, rules, HTML tags and the backslashes of escapes are removed. Table cells are separated by ` | `, and the lines of
 * a paragraph are joined. Text without marks stays unchanged, except for joined lines. Takes time linear in the text.
 * @param ranges sorted, without overlaps
 * @returns the ranges as offsets into the returned text; ranges without visible text are left out
 */
export function plainMarkdown(text: string, ranges: readonly Stretch[] = []) {
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
  const hidden = spans.flatMap(({ start, end, shown }) => [hide(start, shown[0]), hide(shown[1], end)]);
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
  const closedAt = stretchFinder(closed);
  const marks = emphasisMarks(text, closed).map((mark) => hide(...mark));
  const escapes = [...text.matchAll(ESCAPE)].map(({ index }) => hide(index, index + 1));
  return [...hidden, ...marks, ...escapes.filter(({ start }) => !closedAt(start))];
}

/** A backslash before punctuation, or a hard line break. */
const ESCAPE = /\\[!-/:-@[-`{-~\n]/g;

/** Letters and digits. An underscore between two of them is part of a name. */
const WORD = /[\p{L}\p{N}]/u;
const NAME = /^\w{1,100}$/;
const MARKS = /\*{1,3}|_{1,3}|~~|==|\n\s*\n|\n\s*[-*+]\s/g;

/**
 * Finds the marks of emphasis; each pair gives two stretches. A mark opens before a word and closes after a word of the same
 * paragraph; `2 * 3` and `snake_case` have no marks. Unlike in CommonMark, marks of different length never form a pair.
 * @param closed stretches without emphasis, such as code, in order
 */
function emphasisMarks(text: string, closed: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = [];
  const open = new Map<string, number>();
  const marks = new RegExp(MARKS);
  const closedAt = stretchFinder(closed);
  for (let match = marks.exec(text); match; match = marks.exec(text)) {
    const [mark] = match;
    const start = match.index;
    const end = start + mark.length;
    const inside = closedAt(start);
    if (inside) {
      marks.lastIndex = inside[1];
      continue;
    }
    if (mark.startsWith('\n')) {
      open.clear();
      continue;
    }
    if (text[start - 1] === '\\' || text[end] === mark[0]) continue;
    const before = text[start - 1] ?? ' ';
    const after = text[end] ?? ' ';
    const isNamePart = mark[0] === '_' && WORD.test(before) && WORD.test(after);
    const opener = open.get(mark);
    if (
      opener !== undefined &&
      before.trim() !== '' &&
      !(mark[0] === '_' && WORD.test(after)) &&
      opener + mark.length < start
    ) {
      // `__init__` is a name, not emphasis.
      if (mark === '__' && NAME.test(text.slice(opener + 2, start))) {
        open.delete(mark);
        continue;
      }
      found.push([opener, opener + mark.length], [start, end]);
      open.delete(mark);
    } else if (after.trim() !== '' && !isNamePart && !(mark[0] === '_' && WORD.test(before))) {
      open.set(mark, start);
    }
  }
  return found;
}
