/** Corrects spelling: finds similar words of the collection for query words that occur nowhere. */
import type { NearWord, ParsedQuery, QueryTerm } from '../model/query.ts';
import { fold } from '../text/fold.ts';
import { isUnspaced } from '../text/scripts.ts';
import { MAX_TERM_LENGTH } from '../text/words.ts';
import { type KnownWords, withTerms } from './terms.ts';

/** The facts about words that correction needs. */
export type Spelling = Pick<KnownWords, 'countOf' | 'nearWords' | 'isWord' | 'isStopWord'>;

/** A misspelt word and its likeliest correction, which is embedded instead of the word. */
export interface Correction {
  readonly typed: string;
  readonly read: string;
}

/** Min length of a word to correct: nearly every shorter word is similar to another word. */
const MIN_LETTERS = 4;
/** Min length of a word whose first letter may be wrong: `Haus` is not corrected to `aus`, nor `wann` to `dann`. */
const MAY_BEGIN_WRONG = 6;
/** Min length of a word with up to two slips (wrong, missing, extra or swapped letters); shorter words may have one. */
const LONG = 8;
/** Max number of spellings for one word. All have the same first letter and number of slips as the likeliest spelling. */
const MAX_SPELLINGS = 3;
/** Weights of a match with one slip and with two slips; a match of the word itself has weight 1. */
const SHARES = [0.9, 0.5] as const;

/**
 * Adds spellings to each word that occurs nowhere and is not a word of the language. A spelling differs by one slip, or by two if
 * the word has at least eight letters. If the likeliest spelling differs by one slip, it replaces the word in the text that is
 * embedded. Not corrected: words of required phrases, and terms that are not `isCorrectable`.
 */
export function correctSpelling(
  query: ParsedQuery,
  spelling: Spelling,
): { readonly query: ParsedQuery; readonly corrections: readonly Correction[] } {
  const unknown = new Set(unknownWords(query, spelling.countOf));
  const corrections: Correction[] = [];
  const terms = query.terms.map((term) => {
    if (!unknown.has(term)) return term;
    const near = findSpellings(term, spelling);
    const [best] = near;
    if (best === undefined) return term;
    // A word two slips away is too often a different word: it gets a lower weight, and the typed word is embedded.
    if (best.slips === 1) corrections.push({ typed: term.surface, read: best.word });
    const spellings = near.filter(({ word }) => !spelling.isStopWord(word)).map((each) => each.term);
    if (spellings.length === 0) return term;
    return { ...term, spellings: { terms: spellings, share: SHARES[best.slips - 1] ?? 0 } };
  });
  const corrected = withTerms(query, terms);
  if (corrections.length === 0) return { query: corrected, corrections };
  return { query: { ...corrected, plain: replaceWords(query.plain, corrections) }, corrections };
}

/** Returns the words of a query that may be corrected, because they occur nowhere. */
export function unknownWords(query: ParsedQuery, countOf: Spelling['countOf']): readonly QueryTerm[] {
  const demanded = new Set(query.phrases.flatMap(({ terms }) => terms.map(({ term }) => term)));
  return query.terms.filter(
    (term) =>
      isCorrectable(term) &&
      !demanded.has(term.term) &&
      [term.term, ...(term.forms ?? [])].every((form) => countOf(form) === 0),
  );
}

/**
 * Whether a term may be misspelt: 4 to `MAX_TERM_LENGTH` letters, typed without prefix or field, no camelCase, no short acronym.
 */
function isCorrectable({ surface, prefix, field, standsFor, variants }: QueryTerm): boolean {
  if (prefix || field || standsFor || variants) return false;
  if (surface.length < MIN_LETTERS || surface.length > MAX_TERM_LENGTH || isUnspaced(surface)) return false;
  return WORD.test(surface) && !HUMP.test(surface) && !ACRONYM.test(surface);
}

const WORD = /^\p{L}+$/u;
const HUMP = /\p{Ll}\p{Lu}/u;
const ACRONYM = /^\p{Lu}{2,5}$/u;

function findSpellings({ term, surface }: QueryTerm, { nearWords, isWord }: Spelling): readonly NearWord[] {
  const word = fold(surface);
  if (isWord(word) || isWord(term)) return [];
  const near = nearWords(word, word.length < LONG ? 1 : 2).filter(
    (other) => (other.slips < 2 && word.length >= MAY_BEGIN_WRONG) || other.word[0] === word[0],
  );
  const [best] = near;
  if (best === undefined) return [];
  return near
    .filter((other) => other.slips === best.slips && other.word[0] === best.word[0])
    .slice(0, MAX_SPELLINGS);
}

/** Replaces all words in one pass, so that the time is linear in the length of the text. */
function replaceWords(text: string, corrections: readonly Correction[]): string {
  const read = new Map(corrections.map((correction) => [correction.typed, correction.read]));
  return text.replace(/(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu, (word) => read.get(word) ?? word);
}
