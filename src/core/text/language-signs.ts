/** Tells English text from other text by script and by frequent words. It needs no dictionary. */
import { isStopWord } from './stopwords.ts';

/** Two letters in a row that are not Latin. A single one is mostly a symbol, such as π. */
const OTHER_SCRIPT = /(?:(?!\p{Script=Latin})\p{L}){2}/u;
const LETTERS = /\p{L}/gu;
const OTHER_LETTERS = /(?!\p{Script=Latin})\p{L}/gu;
const WORDS = /\p{L}[\p{L}\p{M}]+/gu;

/** Fewer words than this say nothing about the language of a document. */
const MIN_WORDS = 5;
/** Min share of English stop words. English prose has 0.3 to 0.5, lists and tables above 0.1, other languages below 0.1. */
const MIN_STOP_WORDS = 0.12;
/** A document with a larger share of letters of other scripts is not English. */
const MAX_OTHER_LETTERS = 0.25;

/** Whether a question has a word of another script than Latin. */
export function hasOtherScript(text: string): boolean {
  return OTHER_SCRIPT.test(text);
}

/** Whether more than a quarter of the letters of a document belong to other scripts than Latin. */
export function isInOtherScript(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return count(OTHER_LETTERS) > MAX_OTHER_LETTERS * count(LETTERS);
}

/** Whether a document seems to be in English: by its script, and by the share of English stop words. A short text counts as English. */
export function looksEnglish(text: string): boolean {
  if (isInOtherScript(text)) return false;
  const words = text.match(WORDS) ?? [];
  return words.length < MIN_WORDS || words.filter(isStopWord).length >= MIN_STOP_WORDS * words.length;
}
