/** Finds a line in a sorted text by bisection. */

const NEW_LINE = 10;
const SPACE = 32;

/**
 * The line whose first word is `key`; undefined when there is none.
 * @param text lines in latin1, sorted by the bytes of their first word, as the files of WordNet are
 */
export function findLine(text: Buffer, key: string): string | undefined {
  // The line looked for begins in [low, high); both are starts of lines, or the end.
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    let start = middle;
    let end = middle;
    while (start > low && text[start - 1] !== NEW_LINE) start--;
    while (end < high && text[end] !== NEW_LINE) end++;
    const order = compareFirstWord(text, start, key);
    if (order === 0) return text.toString('latin1', start, end);
    if (order < 0) low = end + 1;
    else high = start;
  }
  return undefined;
}

/** Below 0 when the word at `start` comes before `key`; a blank is less than any letter. */
function compareFirstWord(text: Buffer, start: number, key: string): number {
  for (let at = 0; at < key.length; at++) {
    const order = (text[start + at] ?? 0) - key.charCodeAt(at);
    if (order !== 0) return order;
  }
  return (text[start + key.length] ?? SPACE) - SPACE;
}
