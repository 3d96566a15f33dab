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

/** Decodes a percent-encoded text: `a%20b` becomes `a b`. Returns a text with invalid codes unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
