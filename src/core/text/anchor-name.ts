/** Makes anchors of headings, for links that lead to a heading. */

/** Returns the anchor of a heading. Returns an anchor unchanged. */
export function anchorName(heading: string): string {
  return heading
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-');
}
