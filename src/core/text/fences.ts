/** Fenced code in a text or a part of one. */

/** Whole lines: `start` is where the opening fence begins, `end` is after the closing one. */
export interface Fence {
  readonly start: number;
  readonly end: number;
  /** The lines between the fences. */
  readonly contentStart: number;
  readonly contentEnd: number;
}

/** A fence, perhaps in a quote or at the beginning of a list item. */
const FENCE = /^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** Every fence in order; one that is not closed reaches to the end. */
export function fencedStretches(text: string): readonly Fence[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  const fences: Fence[] = [];
  let open: { readonly mark: string; readonly start: number; readonly contentStart: number } | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    const end = Math.min(text.length, start + line.length + 1);
    const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (open === undefined) {
      if (mark !== '') open = { mark, start, contentStart: end };
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      fences.push({ start: open.start, end, contentStart: open.contentStart, contentEnd: start });
      open = undefined;
    }
    start = end;
  }
  if (open !== undefined) {
    fences.push({
      start: open.start,
      end: text.length,
      contentStart: open.contentStart,
      contentEnd: text.length,
    });
  }
  return fences;
}
