/** Tags: `#tag` and nested `#a/b` in text, and the merging of tags from all places. */

/** Letters of any script, marks, digits, emoji, and the joints `_`, `-` and `/`. */
const TAG = /#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Join_Control}_/-]+)/uy;
/** What may stand directly before the `#`, besides white space and the start of the text. */
const OPENERS = '(,;*_~（，。；：、「『【“‘';

export interface FoundTag {
  readonly tag: string;
  /** Offset after the tag. */
  readonly end: number;
}

/** Reads the tag that begins with the `#` at an offset, if there is one. */
export function readTag(source: string, at: number): FoundTag | undefined {
  const before = source[at - 1];
  if (before !== undefined && !/\s/.test(before) && !OPENERS.includes(before)) return undefined;
  // `{ #id }` names a heading.
  if (source[at - 1] === ' ' && source[at - 2] === '{') return undefined;
  TAG.lastIndex = at;
  const match = TAG.exec(source);
  if (!match) return undefined;
  const tag = cleanTag(match[1]!);
  return tag === '' || !/[\p{L}\p{Extended_Pictographic}]/u.test(tag)
    ? undefined
    : { tag, end: TAG.lastIndex };
}

/** Drops `#`, surrounding space and empty steps of a nested tag. */
export function cleanTag(tag: string): string {
  const steps = tag.trim().replace(/^#/, '').split('/');
  return steps
    .map((step) => step.trim())
    .filter((step) => step !== '')
    .join('/');
}

/** One list without repeats, compared without regard to case; the first spelling stays. */
export function mergeTags(...lists: readonly (readonly string[])[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const tag of lists.flat()) {
    const key = tag.toLowerCase();
    if (!byKey.has(key)) byKey.set(key, tag);
  }
  return [...byKey.values()];
}
