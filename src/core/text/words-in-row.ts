/** Finds words that stand in a row in a text, whatever separates them. */
import { fold } from './fold.ts';
import { classAt, SEPARATOR, UNSPACED } from './scripts.ts';

/** Makes a test of texts: whether the words of `said` stand in the text, in this order and with no other word between them. */
export function wordsInRow(said: string): (text: string) => boolean {
  const words = fold(said).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const [first] = words;
  if (first === undefined) return () => false;
  return (text) => {
    const folded = fold(text);
    for (let start = folded.indexOf(first); start >= 0; start = folded.indexOf(first, start + 1)) {
      if (isEdge(folded, start) && rowStartsAt(folded, start, words)) return true;
    }
    return false;
  };
}

function rowStartsAt(text: string, start: number, words: readonly string[]): boolean {
  let at = start;
  return words.every((word) => {
    while (at < text.length && classAt(text, at) === SEPARATOR) at++;
    if (!text.startsWith(word, at)) return false;
    at += word.length;
    return isEdge(text, at);
  });
}

/** Whether a word may begin or end here. In unspaced scripts, this is possible everywhere. */
function isEdge(text: string, at: number): boolean {
  return [at - 1, at].some((index) => {
    const kind = classAt(text, index);
    return kind === SEPARATOR || kind === UNSPACED;
  });
}
