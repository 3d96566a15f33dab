/** Finds words of an index whose spelling is similar to a given word. */
import type { NearWord } from '../model/query.ts';
import { compareText } from '../text/compare-text.ts';
import { firstIndex } from '../text/lines.ts';
import { type Dictionary, wordAt, wordCount } from './dictionary.ts';
import type { Segment } from './segment.ts';

export type WrittenWords = Pick<Segment, 'terms' | 'surfaces' | 'surfaceTerms'>;

/**
 * Returns words of live units at most `maxSlips` edits from `word`, one word per term. Order: fewest edits, same first
 * letter, most units, dictionary order.
 *
 * The distance is optimal string alignment (Damerau 1964; no substring is edited twice). The dictionary is read in
 * order, with one row of the distance table per letter of the current entry. Entries with the same beginning share
 * rows. If a beginning is already too far, all entries with this beginning are skipped at once.
 * @param countOf number of live units that hold a term
 * @param word folded as the index folds its words
 */
export function nearWords(
  written: Iterable<WrittenWords>,
  countOf: (term: string) => number,
  word: string,
  maxSlips: number,
) {
  const nearest = new Map<string, NearWord>();
  for (const { surfaces, surfaceTerms, terms } of written) {
    visitNear(surfaces, word, maxSlips, (index, slips) => {
      const term = wordAt(terms, surfaceTerms[index]!);
      const found = { word: wordAt(surfaces, index), term, slips };
      const before = nearest.get(term);
      const isNearer = before && (slips - before.slips || compareText(found.word, before.word)) < 0;
      if (!before || isNearer) nearest.set(term, found);
    });
  }
  const first = word.slice(0, 1);
  const differs = (near: NearWord) => (near.word.startsWith(first) ? 0 : 1);
  return [...nearest.values()]
    .map((near) => ({ ...near, units: countOf(near.term) }))
    .filter(({ units }) => units > 0)
    .sort(
      (a, b) =>
        a.slips - b.slips || differs(a) - differs(b) || b.units - a.units || compareText(a.term, b.term),
    );
}

/** Calls `visit` with the index and distance of every entry at distance `maxSlips` or less from `word`, in order. */
function visitNear(
  dictionary: Dictionary,
  word: string,
  maxSlips: number,
  visit: (index: number, slips: number) => void,
): void {
  const { text, starts } = dictionary;
  const count = wordCount(dictionary);
  const width = word.length + 1;
  /** Row `d`: distances between the first `d` letters of the current entry and each prefix of `word`. */
  const rows = Uint8Array.from({ length: (word.length + maxSlips + 2) * width }, (_, cell) => cell);
  /** Index of the last row that is filled for the previous entry. */
  let known = 0;
  let index = 0;
  while (index < count) {
    const start = starts[index]!;
    const length = starts[index + 1]! - start;
    let depth = index === 0 ? 0 : Math.min(known, sharedLength(dictionary, index - 1, index));
    let isNear = true;
    while (isNear && depth < length) {
      const at = start + depth++;
      isNear = fillRow(rows, depth, word, text.charCodeAt(at), text.charCodeAt(at - 1), maxSlips);
    }
    known = depth;
    if (isNear) {
      const slips = rows[length * width + word.length]!;
      if (slips <= maxSlips) visit(index, slips);
      index++;
    } else {
      // Skip all entries with this beginning: they are too far from `word` as well.
      index = endOfBeginning(dictionary, index, depth);
    }
  }
}

/** Fills row `depth` of the edit distances. @returns whether any entry that begins with these letters can be near enough */
function fillRow(
  rows: Uint8Array,
  depth: number,
  word: string,
  letter: number,
  letterBefore: number,
  maxSlips: number,
): boolean {
  const width = word.length + 1;
  const row = depth * width;
  const above = row - width;
  const tooFar = maxSlips + 1;
  // Only cells this close to the diagonal can be near enough. The cells beside the range are set to "too far".
  const from = Math.max(1, depth - maxSlips);
  const to = Math.min(word.length, depth + maxSlips);
  rows[row + from - 1] = from === 1 ? Math.min(depth, tooFar) : tooFar;
  if (to < word.length) rows[row + to + 1] = tooFar;
  let minHere = rows[row + from - 1]!;
  let minAbove = rows[above + from - 1]!;
  for (let column = from; column <= to; column++) {
    const other = word.charCodeAt(column - 1);
    const diagonal = rows[above + column - 1]! + (letter === other ? 0 : 1);
    const straight = rows[above + column]! + 1;
    const along = rows[row + column - 1]! + 1;
    let slips = Math.min(Math.min(diagonal, straight), along);
    if (depth > 1 && column > 1 && letterBefore === other && letter === word.charCodeAt(column - 2)) {
      const swapped = rows[above - width + column - 2]! + 1;
      if (swapped < slips) slips = swapped;
    }
    if (slips > tooFar) slips = tooFar;
    rows[row + column] = slips;
    if (slips < minHere) minHere = slips;
    if (rows[above + column]! < minAbove) minAbove = rows[above + column]!;
  }
  // The row above also counts: if this letter and the next one are swapped, the next row is computed from the row above.
  return minHere <= maxSlips || minAbove < maxSlips;
}

/** Returns the number of leading letters that two entries share. */
function sharedLength({ text, starts }: Dictionary, a: number, b: number): number {
  const [fromA, fromB] = [starts[a]!, starts[b]!];
  const most = Math.min(starts[a + 1]! - fromA, starts[b + 1]! - fromB);
  let shared = 0;
  while (shared < most && text.charCodeAt(fromA + shared) === text.charCodeAt(fromB + shared)) shared++;
  return shared;
}

/** Returns the first index after `index` whose entry differs in the first `length` letters. */
function endOfBeginning(dictionary: Dictionary, index: number, length: number): number {
  const count = wordCount(dictionary);
  let step = 1;
  while (index + step < count && sharedLength(dictionary, index, index + step) >= length) step *= 2;
  // The entry at `from` shares `length` letters with the entry at `index`. The entry at `to` does not, or `to` is the end.
  const [from, to] = [index + Math.floor(step / 2), Math.min(count, index + step)];
  return from + firstIndex(to - from, (at) => sharedLength(dictionary, index, from + at) < length);
}
