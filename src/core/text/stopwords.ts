/** English stop words: left out of queries, but kept in the index. */
import { fold } from './fold.ts';
import { withoutApostrophes } from './words.ts';

/** Removes accents, capitals and apostrophes from a word. */
export function plainForm(word: string): string {
  return withoutApostrophes(fold(word));
}

/** Whether a word is a stop word, ignoring case, accents and apostrophes. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(plainForm(word));
}

/** Words in plain form: `dont` for `don't`. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been before being but by
   can cannot cant could did didnt do does doesnt doing dont each for from further
   had has have having he her here him his how i if im in into is isnt it its itself ive just
   me more most my no nor not of off on once only or other our out over own
   same she should so some such than that the their them then there these they this those through to too
   under until up very was we were what when where which while who whom why will with would you your`.split(
    /\s+/,
  ),
);
