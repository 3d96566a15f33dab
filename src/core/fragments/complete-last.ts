/** Completes the last word of a query, because the user may still be typing it. */
import type { ParsedQuery } from '../model/query.ts';
import { fold } from '../text/fold.ts';
import { type Dictionary, MAX_BEGUN, wordsOf } from './query-words.ts';

/** Suffixes that stemming removes. A word that is only half typed may end with the beginning of such a suffix. */
const SUFFIXES = [
  ...['ably', 'ances', 'ated', 'ating', 'ations', 'atives', 'ators', 'edly', 'ences', 'ibly', 'ingly'],
  ...['ional', 'ists', 'ities', 'ivity', 'ized', 'izing', 'ments', 'ness', 'ously'],
];

/**
 * If the last word occurs nowhere, searches the words that begin with it instead. If no word begins with it, searches its longest
 * stem that is followed by nothing but the beginning of a suffix.
 */
export function completeLast(query: ParsedQuery, dictionary: Dictionary): ParsedQuery {
  const last = query.terms.at(-1);
  if (!last || last.prefix || last.field || wordsOf(last, dictionary).some(dictionary.find)) return query;
  const typed = fold(last.surface);
  if (typed.length < 2) return query;
  const stems = Array.from({ length: Math.max(0, typed.length - 3) }, (_, cut) => typed.slice(0, -1 - cut));
  const isStem = (stem: string) =>
    dictionary.find(stem) && SUFFIXES.some((suffix) => suffix.startsWith(typed.slice(stem.length)));
  const begun = dictionary
    .beginningWith(typed)
    .slice(0, MAX_BEGUN)
    .map(({ term }) => term);
  const forms = begun.length > 0 ? begun : stems.filter(isStem).slice(0, 1);
  if (forms.length === 0) return query;
  return { ...query, terms: [...query.terms.slice(0, -1), { ...last, forms }] };
}
