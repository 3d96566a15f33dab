/** Decodes the entities of running text, such as `&amp;`. */
import type { Edit } from '../text/edits.ts';
import { type Stretch, stretchFinder } from '../text/lines.ts';
import { markdown } from './markdown-it.ts';

const ENTITY = /(?<!\\)&(?:#x?[\da-f]{1,8}|[a-z][a-z\d]{1,31});/gi;
/** Characters that Markdown reads as marks, `&` and `<` only before certain characters. */
const MARK = /^(?:[\\`*_~$|[\]]|&#?\w+;|<[a-z/!?])/i;
const LINE_MARK = /^[>#+=-]/;

/**
 * Returns the edits that show entities as characters. A character that would be a mark of Markdown gets a backslash. An entity of
 * white space, such as `&Tab;`, becomes one space, so that it cannot indent a line.
 * @param closed stretches without entities, such as code; sorted, without overlaps
 */
export function entityEdits(text: string, closed: readonly Stretch[]): Edit[] {
  const closedAt = stretchFinder(closed);
  return [...text.matchAll(ENTITY)].flatMap(({ 0: entity, index: start }): Edit[] => {
    const shown = markdown.utils.unescapeAll(entity);
    if (shown === entity || closedAt(start)) return [];
    const end = start + entity.length;
    if (shown.trim() === '') return [{ start, end, shown: ' ' }];
    const line = shown + text.slice(end, end + 32);
    const isMark = MARK.test(line) || (LINE_MARK.test(line) && beginsLine(text, start));
    return [{ start, end, shown: isMark ? `\\${shown}` : shown }];
  });
}

function beginsLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t>*+-]*$/.test(text.slice(Math.max(0, at - 32), at));
}
