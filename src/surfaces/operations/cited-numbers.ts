/** Reads which passages an answer cites. */

/**
 * Numbers in square brackets, in order and once each: `[1]`, `[1, 2]`, `[3-5]`. Brackets in code and
 * right after a word, such as `list[0]`, do not count. A range is cut at `most`; its end stays.
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

/** A fence, closed or not, then spans of one line. */
const CODE = /^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|$(?!.))|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)/gmsu;
const CITATION =
  /(?<![A-Za-z0-9_)])\[\s*(\d{1,3}(?:\s*[-–]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?)*)\s*\]/gu;
