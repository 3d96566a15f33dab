/** Finds pairs of emphasis marks: `*`, `_`, `**`, `__`, `***`, `~~`, `==`. */
import { type Stretch, stretchFinder } from './lines.ts';

/** Letters and digits. An underscore between two of them is part of a name. */
const WORD = /[\p{L}\p{N}]/u;
const NAME = /^\w{1,100}$/;
const MARKS = /\*{1,3}|_{1,3}|~~|==|\n\s*\n|\n\s*[-*+]\s/g;

/**
 * Finds the marks of emphasis; each pair gives two stretches. A mark opens before a word and closes after a word of the same
 * paragraph; `2 * 3` and `snake_case` have no marks. Unlike in CommonMark, marks of different length never form a pair.
 * @param closed stretches without emphasis, such as code, in order
 */
export function emphasisMarks(text: string, closed: readonly Stretch[]): readonly Stretch[] {
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
