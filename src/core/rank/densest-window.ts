/** Finds the stretch of a text with the most important words of a query. */
import type { Stretch } from '../text/lines.ts';
import type { Match } from './find-matches.ts';

export interface Window {
  readonly stretch: Stretch;
  readonly weight: number;
  readonly count: number;
  /** Number of terms of the longest match in the headings above, such as a whole name. */
  readonly name?: number;
}

/**
 * Finds the window with the greatest sum of `weigh` over its distinct terms. A window that begins in a code block ends in it, as
 * the snippet does.
 * @param codeAt returns the code block at an offset; called in ascending order
 * @param length length of the window in UTF-16 units; it reaches from its first match to its last
 */
export function densestWindow(
  matches: readonly Match[],
  codeAt: (offset: number) => Stretch | undefined,
  length: number,
  weigh: (term: string) => number,
): Window | undefined {
  const blockOf = new Map(matches.map((match) => [match, codeAt(match.start)]));
  const densest = [...new Set(blockOf.values())].map((block) => {
    const mayBegin = (match: Match) => blockOf.get(match) === block;
    return densestOf(block ? matches.filter(mayBegin) : matches, length, weigh, mayBegin);
  });
  return densest.filter((each) => each !== undefined).sort(byWeight)[0];
}

/** The heaviest window first; of equal ones the one with the longest name in its heading, then with more matches, then the earliest. */
export function byWeight(a: Window, b: Window): number {
  return (
    b.weight - a.weight || (b.name ?? 0) - (a.name ?? 0) || b.count - a.count || a.stretch[0] - b.stretch[0]
  );
}

export function weightOf(matches: readonly Match[], weigh: (term: string) => number): number {
  return sumOf(new Set(matches.flatMap(({ terms }) => terms)), weigh);
}

/** Rounds the sum: terms come in any order, and rounding errors must not decide between equal windows. */
function sumOf(terms: Iterable<string>, weigh: (term: string) => number): number {
  let sum = 0;
  for (const term of terms) sum += weigh(term);
  return Math.fround(sum);
}

/** The largest number of terms that one match has. */
export function longest(matches: readonly Match[]): number {
  return Math.max(0, ...matches.map(({ terms }) => terms.length));
}

/**
 * A match of a whole name also adds the parts of the name. Takes time linear in the matches.
 * @param mayBegin whether a window may begin with a match
 */
function densestOf(
  matches: readonly Match[],
  length: number,
  weigh: (term: string) => number,
  mayBegin: (match: Match) => boolean,
): Window | undefined {
  const inside = new Map<string, number>();
  let best: Window | undefined;
  let end = 0;
  for (const [index, first] of matches.entries()) {
    while (end < matches.length && (end <= index || matches[end]!.end <= first.start + length)) {
      for (const term of matches[end++]!.terms) inside.set(term, (inside.get(term) ?? 0) + 1);
    }
    // Each sum is computed from zero: a running sum would have rounding errors.
    const weight = sumOf(inside.keys(), weigh);
    const found: Window = { stretch: [first.start, matches[end - 1]!.end], weight, count: end - index };
    if (mayBegin(first) && (!best || byWeight(found, best) < 0)) best = found;
    for (const term of first.terms) {
      const left = inside.get(term)! - 1;
      if (left > 0) inside.set(term, left);
      else inside.delete(term);
    }
  }
  return best;
}
