/** Lets a word of a query find the two words it is written as elsewhere: `frontmatter` as `front matter`. */
import type { ParsedQuery, PhraseTerms, QueryTerm } from '../model/query.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { MAX_TERM_LENGTH } from '../text/words.ts';
import { type StopWordTest, uniquePhrases } from './terms.ts';

/** What is known of words. */
export interface WordCounts {
  /** How many passages hold a term. */
  readonly countOf: (term: string) => number;
  /** How many passages hold terms next to each other. */
  readonly countOfPhrase: (terms: PhraseTerms) => number;
  /** Whether a word says nothing about a subject. */
  readonly isStopWord: StopWordTest;
}

/** Two letters are too often a prefix or a suffix that stands alone by chance. */
const MIN_LETTERS = 3;
/** In fewer passages than this share of those with the word, the two parts are a slip of hyphenation: `treat ment`. */
const MIN_SHARE = 0.25;

/**
 * The query with, for each plain word of 6 to `MAX_TERM_LENGTH` letters, the two adjacent words that the collection has instead or
 * beside it; a place of them is a place of the word. Prefixes, words in fields, and words with other letters than a–z or humps
 * are not taken apart. What is embedded stays as typed.
 * @param analyzers of the languages the documents are in. @default `AUTO_ANALYZER` alone
 */
export function splitWords(
  query: ParsedQuery,
  counts: WordCounts,
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): ParsedQuery {
  const terms = query.terms.map((term) => {
    const variants = isPlainWord(term) ? findVariants(term, counts, analyzers) : [];
    return variants.length === 0 ? term : { ...term, variants };
  });
  return terms.every((term, index) => term === query.terms[index]) ? query : { ...query, terms };
}

function isPlainWord({ surface, prefix, field, standsFor }: QueryTerm): boolean {
  const isShort = surface.length <= MAX_TERM_LENGTH;
  return (
    isShort && /^[A-Z]?[a-z]+$/.test(surface) && !prefix && field === undefined && standsFor === undefined
  );
}

/** The likeliest place to cut, in each language. */
function findVariants(
  { surface, term, forms = [] }: QueryTerm,
  { countOf, countOfPhrase, isStopWord }: WordCounts,
  analyzers: readonly Analyzer[],
): readonly PhraseTerms[] {
  const word = surface.toLowerCase();
  const own = Math.max(...[term, ...forms].map(countOf));
  let best: readonly PhraseTerms[] = [];
  let most = own * MIN_SHARE;
  for (let at = MIN_LETTERS; at <= word.length - MIN_LETTERS; at++) {
    const parts = [word.slice(0, at), word.slice(at)] as const;
    if (parts.every(isStopWord)) continue;
    const readings = analyzers.map(({ tokenize }) =>
      parts.map((part, position) => ({ term: onlyTerm(part, tokenize), position })),
    );
    const phrases = uniquePhrases(readings).filter((phrase) =>
      phrase.every((each) => countOf(each.term) > own * MIN_SHARE),
    );
    const count = Math.max(0, ...phrases.map(countOfPhrase));
    if (count > most) [best, most] = [phrases, count];
  }
  return best;
}

function onlyTerm(word: string, tokenize: Analyzer['tokenize']): string {
  let only = '';
  tokenize(word, (term) => {
    only = term;
  });
  return only;
}
