/** Chooses where in a passage to look: the place with the rarest query words, or without any the first full paragraph. */
import type { Stretch } from '../text/lines.ts';
import type { Match } from './find-matches.ts';
import type { CodeStretch } from './matching-code.ts';

/**
 * From the first match to the last of the window with the greatest sum of `weigh` over its distinct terms, then the most matches, then the
 * earliest; undefined without matches. A whole name counts for the parts it holds, too. Takes time linear in the matches.
 * @param length of the window in UTF-16 units
 */
export function densestMatch(
  matches: readonly Match[],
  length: number,
  weigh: (term: string) => number,
): Stretch | undefined {
  const inside = new Map<string, number>();
  let best: { readonly stretch: Stretch; readonly weight: number; readonly count: number } | undefined;
  let end = 0;
  for (const [index, first] of matches.entries()) {
    while (end < matches.length && (end <= index || matches[end]!.end <= first.start + length)) {
      for (const term of matches[end++]!.terms) inside.set(term, (inside.get(term) ?? 0) + 1);
    }
    // Each sum starts from zero: running sums of fractions would drift and break ties by rounding.
    let weight = 0;
    for (const term of inside.keys()) weight += weigh(term);
    const count = end - index;
    if (!best || weight > best.weight || (weight === best.weight && count > best.count)) {
      best = { stretch: [first.start, matches[end - 1]!.end], weight, count };
    }
    for (const term of first.terms) {
      const left = inside.get(term)! - 1;
      if (left > 0) inside.set(term, left);
      else inside.delete(term);
    }
  }
  return best?.stretch;
}

const PARAGRAPH_GAP = /\n[ \t]*\n/g;
const NO_PROSE = /^\s*(?:#{1,6}\s|\||<!--|\[[^\]]*\]:|[-=_*\s]+$)/;
const LETTER = /[\p{L}\p{N}]/gu;

/**
 * Where to begin when no word matched: the first paragraph of prose with `enough` letters, else the one with most;
 * headings, tables, code and comments only when there is nothing else.
 */
export function fullestParagraph(
  text: string,
  [from, to]: Stretch,
  enough: number,
  code: readonly CodeStretch[],
): number {
  let best = { start: from, letters: -1 };
  let next = 0;
  for (const [start, end] of paragraphs(text, from, to)) {
    while (next < code.length && code[next]!.end <= start) next++;
    const isCode = (code[next]?.start ?? Number.POSITIVE_INFINITY) <= start;
    const head = text.slice(start, Math.min(end, start + 2 * enough));
    const letters = isCode || NO_PROSE.test(head) ? 0 : (head.match(LETTER)?.length ?? 0);
    if (letters >= enough) return start;
    if (letters > best.letters) best = { start, letters };
  }
  return best.start;
}

function* paragraphs(text: string, from: number, to: number): Generator<Stretch> {
  const gap = new RegExp(PARAGRAPH_GAP);
  gap.lastIndex = from;
  let start = from;
  for (let match = gap.exec(text); match && match.index < to; match = gap.exec(text)) {
    if (match.index > start) yield [start, match.index];
    start = match.index + match[0].length;
    gap.lastIndex = start;
  }
  if (start < to) yield [start, to];
}
