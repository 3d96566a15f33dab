/** Reads tags, `#tag` and nested `#a/b`, and merges tags from all places. */

/** Letters of any script, marks, digits, emoji, and the joiners `_`, `-` and `/`. */
const TAG = /#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Join_Control}_/-]+)/uy;
/** Characters that may come directly before the `#`, besides white space. */
const OPENERS = '(,;*_~（，。；：、「『【“‘';

/** Reads the tag that begins with the `#` at an offset, and the offset after it. Returns undefined if there is no tag. */
export function readTag(source: string, at: number): { tag: string; end: number } | undefined {
  const before = source[at - 1];
  if (before !== undefined && !/\s/.test(before) && !OPENERS.includes(before)) return undefined;
  // `{ #id }` is the id of a heading, not a tag.
  if (source[at - 1] === ' ' && source[at - 2] === '{') return undefined;
  TAG.lastIndex = at;
  const match = TAG.exec(source);
  if (!match) return undefined;
  const tag = cleanTag(match[1]!);
  return /[\p{L}\p{Extended_Pictographic}]/u.test(tag) ? { tag, end: TAG.lastIndex } : undefined;
}

/** Removes `#`, surrounding space and empty parts of a nested tag. */
export function cleanTag(tag: string): string {
  const steps = tag.trim().replace(/^#/, '').split('/');
  return steps
    .map((step) => step.trim())
    .filter((step) => step !== '')
    .join('/');
}

/** Merges lists of tags. Tags that differ only in case are equal; the first spelling stays. */
export function mergeTags(...lists: readonly (readonly string[])[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const tag of lists.flat()) {
    const key = tag.toLowerCase();
    if (!byKey.has(key)) byKey.set(key, tag);
  }
  return [...byKey.values()];
}
