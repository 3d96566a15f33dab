/** Makes anchors of headings, and decodes targets of links. */

/** Returns the anchor of a heading. Returns an anchor unchanged. */
export function anchorName(heading: string): string {
  return heading
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-');
}

/** Returns a function that names headings in their order: the second one with the anchor `tags` becomes `tags-1`. */
export function createAnchorNames(): (heading: string) => string {
  const counts = new Map<string, number>();
  return (heading) => {
    const name = anchorName(heading);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  };
}

/** Decodes a percent-encoded text: `a%20b` becomes `a b`. Returns a text with invalid codes unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
