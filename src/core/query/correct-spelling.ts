/** Reads words of a query that no text holds as words of the collection that are spelled nearly like them. */
import type { NearWord, ParsedQuery, QueryTerm } from '../model/query.ts';
import { fold } from '../text/fold.ts';
import { isUnspaced } from '../text/scripts.ts';
import { MAX_TERM_LENGTH } from '../text/words.ts';
import { type KnownWords, withTerms } from './terms.ts';

/** What is known of words. */
export type Spelling = Pick<KnownWords, 'countOf' | 'nearWords' | 'isWord' | 'isStopWord'>;

/** A word as typed, and the likeliest word it may have been meant as, which is embedded instead. */
export interface Correction {
  readonly typed: string;
  readonly read: string;
}

/** With fewer letters nearly every word is near another one. */
const MIN_LETTERS = 4;
/** From so many letters on two slips are allowed. */
const LONG = 8;
/** How many words may stand for a misspelt one: those with as few slips and the same first letter as the likeliest. */
const MAX_SPELLINGS = 3;
/** What a match one slip away and two slips away counts beside one of the word itself. */
const SHARES = [0.9, 0.5] as const;

/**
 * The query with spellings for each word that occurs nowhere and is no word of the language, one slip away, or two from
 * eight letters on. The text that is embedded says the likeliest of those one slip away instead. Demanded phrases, prefixes, words in
 * fields, short names in capitals, words longer than `MAX_TERM_LENGTH` and whatever is not letters alone stay as they are.
 */
export function correctSpelling(
  query: ParsedQuery,
  spelling: Spelling,
): { readonly query: ParsedQuery; readonly corrections: readonly Correction[] } {
  const demanded = new Set(query.phrases.flatMap(({ terms }) => terms.map(({ term }) => term)));
  const corrections: Correction[] = [];
  const terms = query.terms.map((term) => {
    if (!isCorrectable(term) || demanded.has(term.term)) return term;
    const near = findSpellings(term, spelling);
    const [best] = near;
    if (best === undefined) return term;
    // Two slips away is too often another word: words then count less, and meaning keeps what was typed.
    if (best.slips === 1) corrections.push({ typed: term.surface, read: best.word });
    // A word that was meant as a stop word counts as little as one.
    const spellings = near.filter(({ word }) => !spelling.isStopWord(word)).map((each) => each.term);
    if (spellings.length === 0) return term;
    return { ...term, spellings: { terms: spellings, share: SHARES[best.slips - 1] ?? 0 } };
  });
  const corrected = withTerms(query, terms);
  if (corrections.length === 0) return { query: corrected, corrections };
  return { query: { ...corrected, plain: replaceWords(query.plain, corrections) }, corrections };
}

/** A word of letters alone, in one piece, that may stand in any field. */
function isCorrectable({ surface, prefix, field, standsFor, variants }: QueryTerm): boolean {
  if (prefix || field || standsFor || variants) return false;
  if (surface.length < MIN_LETTERS || surface.length > MAX_TERM_LENGTH || isUnspaced(surface)) return false;
  return WORD.test(surface) && !HUMP.test(surface) && !ACRONYM.test(surface);
}

const WORD = /^\p{L}+$/u;
const HUMP = /\p{Ll}\p{Lu}/u;
const ACRONYM = /^\p{Lu}{2,5}$/u;

function findSpellings(
  { term, forms = [], surface }: QueryTerm,
  { countOf, nearWords, isWord }: Spelling,
): readonly NearWord[] {
  if ([term, ...forms].some((form) => countOf(form) > 0)) return [];
  const word = fold(surface);
  if (isWord(word) || isWord(term)) return [];
  const near = nearWords(word, word.length < LONG ? 1 : 2).filter(
    (other) => other.slips < 2 || other.word[0] === word[0],
  );
  const [best] = near;
  if (best === undefined) return [];
  return near
    .filter((other) => other.slips === best.slips && other.word[0] === best.word[0])
    .slice(0, MAX_SPELLINGS);
}

/** Replaces all words in one pass, so that time grows with the length of the text alone. */
function replaceWords(text: string, corrections: readonly Correction[]): string {
  const read = new Map(corrections.map((correction) => [correction.typed, correction.read]));
  return text.replace(/(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu, (word) => read.get(word) ?? word);
}
