/** Reads the citations of a written answer: numbers of passages in square brackets, such as `[1]`, `[1, 2]` and `[3-5]`. */

/** The passages to list below an answer: those it cites, or all if it cites none. Empty if the model found no answer. */
export function sourcesOf<Citation extends { readonly cited: boolean }>(written: {
  readonly answered: boolean;
  readonly citations: readonly Citation[];
}): readonly Citation[] {
  const cited = written.citations.filter((each) => each.cited);
  return cited.length > 0 || !written.answered ? cited : written.citations;
}

/**
 * Returns the numbers in square brackets, each once, in the order of the text: `[1]`, `[1, 2]`, `[3-5]`. Ignores brackets in
 * code and right after a word, such as `list[0]`. A range gives both ends, and the numbers between them up to `most`.
 */
export function citedNumbers(answer: string, most: number): readonly number[] {
  const numbers = new Set<number>();
  for (const [, list] of answer.replace(CODE, ' ').matchAll(CITATION)) {
    for (const part of list!.split(/[,;]/)) {
      const [from = 0, to = from] = part.split(/[-–]/).map(Number);
      for (let number = from; number <= Math.min(to, most); number++) numbers.add(number);
      numbers.add(from).add(to);
    }
  }
  return [...numbers];
}

/** Splits a text into the numbers of its citations and what is between: `see [1, 2].` gives `see [`, 1, `, `, 2 and `].`. */
export function splitCitations(text: string): readonly (string | number)[] {
  const parts: (string | number)[] = [];
  let done = 0;
  for (const { 0: whole, index } of text.matchAll(CITATION)) {
    for (const { 0: digits, index: within } of whole.matchAll(/\d+/g)) {
      const at = index + within;
      parts.push(text.slice(done, at), Number(digits));
      done = at + digits.length;
    }
  }
  return [...parts, text.slice(done)].filter((part) => part !== '');
}

/** A fenced block, closed or not, or a code span on one line. */
const CODE = /^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|$(?!.))|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)/gmsu;
const CITATION =
  /(?<![A-Za-z0-9_)])\[\s*(\d{1,3}(?:\s*[-–]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?)*)\s*\]/gu;
