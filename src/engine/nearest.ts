/** Suggestions for names that were mistyped. */

/**
 * Returns the names nearest to `wrong` by edit distance, best first. The max distance depends on the length of the name: 1 for
 * one or two letters, 2 for three to six, else a third of the length. It is always 0 if `wrong` is a single letter.
 */
export function nearest(wrong: string, names: Iterable<string>, count = 1): string[] {
  return [...names]
    .filter((name) => Math.abs(name.length - wrong.length) <= reach(name, wrong))
    .map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= reach(name, wrong))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/**
 * Returns the names with `wrong` as a word or as the beginning of a slightly longer word, shortest first. If no name has it,
 * returns the nearest names.
 */
export function suggest(wrong: string, names: Iterable<string>, count: number): string[] {
  const all = [...new Set(names)];
  const holding = all.filter((name) => holdsWord(name.toLowerCase(), wrong.toLowerCase()));
  if (holding.length === 0) return nearest(wrong, all, count);
  return holding.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, count);
}

/** Min characters of a word for which `suggest` finds names with the word: shorter words are in too many names. */
const MIN_WORD = 3;

/** Whether a word of the name is `wrong`, or begins with it and is at most 1.5 times as long. */
function holdsWord(name: string, wrong: string): boolean {
  if (wrong.length < MIN_WORD) return false;
  const at = ` ${name}`
    .replaceAll(/[^\p{L}\p{N}]/gu, ' ')
    .indexOf(` ${wrong.replaceAll(/[^\p{L}\p{N}]/gu, ' ')}`);
  const [ending = ''] = at < 0 ? [] : (/^[\p{L}\p{N}]*/u.exec(name.slice(at + wrong.length)) ?? []);
  return at >= 0 && ending.length <= wrong.length / 2;
}

/** Each row lists names of fields that mean the same. A tool has at most one field of a row. */
const SAME: readonly (readonly string[])[] = [
  ['top_n', 'topN', 'limit', 'k', 'top_k', 'n', 'max_results'],
  ['query', 'question', 'q'],
  ['hypothesis', 'answer'],
  ['document', 'path', 'id', 'document_id', 'chunk_id', 'file', 'uri'],
];

/** Returns the field that means the same as `wrong`, such as `top_n` for `limit`. */
export function sameField(wrong: string, fields: readonly string[]): string | undefined {
  const same = SAME.find((row) => row.includes(wrong)) ?? [];
  return fields.find((field) => same.includes(field));
}

/** Joins names: `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
}

/** Asks whether one of the names was meant. @param otherwise remedy without names */
export function didYouMean(names: readonly string[], otherwise: string): string {
  return names.length > 0 ? `Did you mean ${oneOf(names)}?` : otherwise;
}

/** Returns the max distance at which a name is suggested. At least one letter of a short name must be right. */
function reach(name: string, wrong: string): number {
  if (wrong.length < 2) return 0;
  return Math.max(1, Math.min(name.length - 1, Math.max(2, name.length / 3)));
}

/** Computes the edit distance, one row at a time. Two letters in the wrong order are one edit (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? before[j - 2]! + 1 : substitution;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, substitution, swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
