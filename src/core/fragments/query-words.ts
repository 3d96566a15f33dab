/** The words of one query: their dictionary fragments, and the postings that are loaded so far. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { compareText } from '../text/compare-text.ts';
import { fold } from '../text/fold.ts';
import { firstIndex } from '../text/lines.ts';
import { type CollectionFacts, type LoadFragment, loadOnce } from './facts.ts';
import { type DocumentPosting, decodePostings } from './term-postings.ts';
import { decodeWords, type Term } from './words-fragment.ts';

export interface LoadedTerm extends Term {
  /** Postings loaded so far, in order of document. */
  readonly loaded: readonly DocumentPosting[];
  /** Indexes in `blocks` of the blocks that are not loaded. Empty once all ranges of documents are loaded. */
  readonly missing: readonly number[];
}

export interface Dictionary {
  readonly find: (term: string) => Term | undefined;
  /** The most frequent words that begin with a prefix, at most `MAX_BEGUN`. */
  readonly beginningWith: (prefix: string) => readonly string[];
}

/** Max number of words that are searched for a prefix. */
const MAX_BEGUN = 8;
/** Max number of dictionary fragments that are loaded for one prefix. */
const MAX_OF_PREFIX = 3;

export function createWordStore({ starts }: Pick<CollectionFacts, 'starts'>, load: LoadFragment) {
  const fragments = loadOnce(async (number: number) => decodeWords(await load('words', number)));
  const files = loadOnce(async (number: number) => decodePostings(await load('postings', number)));

  /** Returns the number of the fragment that may hold a word; −1 if the word sorts before all terms. */
  const placeOf = (word: string) => firstIndex(starts.length, (place) => starts[place]! > word) - 1;

  return {
    /** Loads the dictionary fragments of words and prefixes. The result knows the terms in these fragments only. */
    async look(words: Iterable<string>, prefixes: Iterable<string>): Promise<Dictionary> {
      const wanted = new Set([...words].map(placeOf));
      for (const prefix of prefixes) {
        const first = Math.max(0, placeOf(prefix));
        for (let place = first; place < first + MAX_OF_PREFIX; place++) {
          if (place === first || starts[place]?.startsWith(prefix)) wanted.add(place);
        }
      }
      wanted.delete(-1);
      if (starts.length === 0) wanted.clear();
      const terms = new Map(
        (await Promise.all([...wanted].map(fragments))).flat().map((each) => [each.term, each]),
      );
      return {
        find: (term) => terms.get(term),
        beginningWith: (prefix) =>
          [...terms.values()]
            .filter(({ term }) => term.startsWith(prefix))
            .sort((a, b) => b.passages - a.passages || compareText(a.term, b.term))
            .slice(0, MAX_BEGUN)
            .map(({ term }) => term),
      };
    },
    async loadBlocks(term: LoadedTerm, places: readonly number[]): Promise<LoadedTerm> {
      const more = await Promise.all(places.map((place) => files(term.blocks[place]!.file)));
      const byDocument = new Map([...term.loaded, ...more.flat()].map((each) => [each.document, each]));
      const missing = term.missing.filter((place) => !places.includes(place));
      return {
        ...term,
        loaded: [...byDocument.values()].sort((a, b) => a.document - b.document),
        missing: missing.some((place) => place > 0) ? missing : [],
      };
    },
  };
}

export function withPostings(term: Term): LoadedTerm {
  return {
    ...term,
    loaded: term.postings ? decodePostings(term.postings) : [],
    missing: [...term.blocks.keys()],
  };
}

/** Returns the words of the index that are searched for a term. */
export function wordsOf(
  { term, prefix, forms = [], spellings }: QueryTerm,
  dictionary: Dictionary,
): readonly string[] {
  return prefix ? dictionary.beginningWith(term) : [term, ...forms, ...(spellings?.terms ?? [])];
}

/** Suffixes that stemming removes. A word that is only half typed may end with the beginning of such a suffix. */
const SUFFIXES = [
  ...['ably', 'ances', 'ated', 'ating', 'ations', 'atives', 'ators', 'edly', 'ences', 'ibly', 'ingly'],
  ...['ional', 'ists', 'ities', 'ivity', 'ized', 'izing', 'ments', 'ness', 'ously'],
];

/**
 * Completes the last word of a query, because the user may still be typing it. If the last word occurs nowhere, searches the words
 * that begin with it instead. If no word begins with it, splits it into a stem and the beginning of a suffix, and
 * searches the longest such stem.
 */
export function completeLast(query: ParsedQuery, dictionary: Dictionary): ParsedQuery {
  const last = query.terms.at(-1);
  if (!last || last.prefix || last.field || wordsOf(last, dictionary).some(dictionary.find)) return query;
  const typed = fold(last.surface);
  if (typed.length < 2) return query;
  const stems = Array.from({ length: Math.max(0, typed.length - 3) }, (_, cut) => typed.slice(0, -1 - cut));
  const isStem = (stem: string) =>
    dictionary.find(stem) && SUFFIXES.some((suffix) => suffix.startsWith(typed.slice(stem.length)));
  const begun = dictionary.beginningWith(typed);
  const forms = begun.length > 0 ? begun : stems.filter(isStem).slice(0, 1);
  if (forms.length === 0) return query;
  return { ...query, terms: [...query.terms.slice(0, -1), { ...last, forms }] };
}
