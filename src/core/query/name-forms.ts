/** Finds other forms of query words in the collection: with other accents, as one word or two, as an acronym or in full. */
import type { ParsedQuery, PhraseTerms, QueryTerm } from '../model/query.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { fold } from '../text/fold.ts';
import { MAX_TERM_LENGTH } from '../text/words.ts';
import { collectTokens, type KnownWords, readTokens, type Token, uniquePhrases, withTerms } from './terms.ts';

/**
 * Adds to each term its other forms: words of the collection that differ only in accents. Stemmers depend on accents, so
 * `preference` and `préférence` can have different stems.
 * @param termsOf returns the index terms of all words of the collection that fold to a given text
 */
export function addAccentForms(
  query: ParsedQuery,
  termsOf: (folded: string) => readonly string[],
): ParsedQuery {
  const withForms = (term: QueryTerm): QueryTerm => {
    if (term.prefix || term.standsFor) return term;
    const forms = new Set([...(term.forms ?? []), ...termsOf(fold(term.surface))]);
    forms.delete(term.term);
    return forms.size === (term.forms?.length ?? 0) ? term : { ...term, forms: [...forms] };
  };
  return {
    ...query,
    terms: query.terms.map(withForms),
    required: query.required.map(withForms),
    excludedTerms: query.excludedTerms.map(withForms),
  };
}

/** Min letters of a part. A shorter part is too often a prefix or suffix that happens to be a word too. */
export const MIN_PART_LETTERS = 3;
/**
 * Min number of passages where the two parts are neighbours, as a share of the passages with the word. Rarer pairs of parts are
 * hyphenation errors: `treat ment`.
 */
const MIN_SHARE = 0.25;

/**
 * Splits each plain word of 6 to `MAX_TERM_LENGTH` letters into two words that are adjacent in the collection: `frontmatter` also
 * finds `front matter`. A match of the two words counts as a match of the word. Not split: prefixes, words in fields, words with
 * capitals inside, and words with letters other than a–z. The text that is embedded does not change.
 * @param analyzers analyzers for the languages of the documents. @default `AUTO_ANALYZER` alone
 */
export function splitWords(
  query: ParsedQuery,
  known: Pick<KnownWords, 'countOf' | 'countOfPhrase' | 'isStopWord'>,
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): ParsedQuery {
  const split = (term: QueryTerm) => {
    const { surface, prefix, field, standsFor } = term;
    const isShort = surface.length <= MAX_TERM_LENGTH;
    const isPlain = isShort && /^[A-Z]?[a-z]+$/.test(surface) && !prefix && !field && !standsFor;
    const variants = isPlain ? partsOf(term, known, analyzers) : [];
    return variants.length === 0 ? term : { ...term, variants };
  };
  return withTerms(query, query.terms.map(split));
}

/** Returns the two parts at the likeliest cut, once for each language; empty if the collection has no such parts. */
function partsOf(
  { surface, term, forms = [] }: QueryTerm,
  { countOf, countOfPhrase, isStopWord }: Pick<KnownWords, 'countOf' | 'countOfPhrase' | 'isStopWord'>,
  analyzers: readonly Analyzer[],
): readonly PhraseTerms[] {
  const word = surface.toLowerCase();
  const least = Math.max(...[term, ...forms].map(countOf)) * MIN_SHARE;
  let best: readonly PhraseTerms[] = [];
  let most = least;
  const termsOf = (part: string) =>
    analyzers.map(({ tokenize }) => {
      let only = '';
      tokenize(part, (each) => {
        only = each;
      });
      return only;
    });
  for (let at = MIN_PART_LETTERS; at <= word.length - MIN_PART_LETTERS; at++) {
    const parts = [word.slice(0, at), word.slice(at)] as const;
    const heads = termsOf(parts[0]);
    // To save time, test the first part before the second is tokenized: most first parts are not words of the collection.
    if (!heads.some((head) => countOf(head) > least) || parts.every(isStopWord)) continue;
    const tails = termsOf(parts[1]);
    const readings = heads.map((head, i) => [
      { term: head, position: 0 },
      { term: tails[i]!, position: 1 },
    ]);
    const phrases = uniquePhrases(readings).filter((phrase) =>
      phrase.every((each) => countOf(each.term) > least),
    );
    const count = Math.max(0, ...phrases.map(countOfPhrase));
    if (count > most) [best, most] = [phrases, count];
  }
  return best;
}

/** Max number of words that are joined to one name. */
const MAX_JOINED = 3;
/**
 * Max words of a query that is searched for names and compounds. A longer query is a question, where joining words that are
 * neighbours by chance does more harm than good.
 */
export const MAX_NAME_QUERY_LENGTH = 8;

/**
 * Joins two or three neighbouring words, and adds a term for each joined form that the collection has: `note path` also finds
 * `notePath`, `note_path` and `note-path`, and `pre processing` or `pre-processing` finds `preprocessing`. Added terms do not
 * raise the upper limit of the score (`bound`). A passage with a joined form is treated as a passage with the single words.
 * Queries of more than eight words do not change. Words are joined only if they consist of letters a–z, with one space or hyphen
 * between them.
 * @param analyzers analyzers for the languages of the documents. @default `AUTO_ANALYZER` alone
 */
export function joinWords(
  query: ParsedQuery,
  countOf: KnownWords['countOf'],
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): ParsedQuery {
  const termsOf = (word: string) =>
    readTokens(word, analyzers).flatMap(({ term, forms = [] }) => [term, ...forms]);
  const said = new Set(query.terms.map(({ term }) => term));
  const added: QueryTerm[] = [];
  const words = readTokens(query.plain, [AUTO_ANALYZER]).filter(({ role }) => role === 'word');
  if (words.length > MAX_NAME_QUERY_LENGTH) return query;
  for (let first = 0; first < words.length; first++) {
    for (let count = 2; count <= MAX_JOINED; count++) {
      const run = words.slice(first, first + count);
      if (run.length < count || !areJoinable(run, query.plain)) break;
      const surfaces = run.map(({ surface }) => surface);
      const parts = surfaces.map(fold);
      for (const term of [...termsOf(parts.join('')), parts.join('_'), parts.join('-')]) {
        if (said.has(term) || countOf(term) === 0) continue;
        said.add(term);
        const standsFor = surfaces.flatMap((surface) => termsOf(surface).slice(0, 1));
        added.push({ term, surface: surfaces.join(' '), prefix: false, standsFor });
      }
    }
  }
  return withTerms(query, [...query.terms, ...added]);
}

function areJoinable(run: readonly Token[], text: string): boolean {
  return run.every(({ surface, end }, index) => {
    const before = run[index - 1];
    const isNext = before === undefined || /^[ -]$/.test(text.slice(before.end, end - surface.length));
    return isNext && /^[a-z]+$/i.test(surface);
  });
}

/** Max number of long forms for one acronym. */
const MAX_LONG_FORMS = 2;
/** Max words of a long form whose acronym is looked up. */
const MAX_NAME_WORDS = 6;
const CAPITALS = /\p{Lu}.*\p{Lu}/u;

/**
 * Adds to each acronym its two most frequent long forms in the collection, as variants, unless the query has one of its long forms.
 * If the query has at most eight words, also adds the acronyms of its long forms: a passage with the acronym then counts as one
 * with the long form. An added acronym does not raise the upper limit of the score (`bound`). The embedded text does not change.
 * @param known `isWord` excludes ordinary words: `plan` is not expanded, `PLAN` is
 * @param analyzers analyzers for the languages of the documents. @default `AUTO_ANALYZER` alone
 */
export function expandAcronyms(
  query: ParsedQuery,
  { longFormsOf, shortFormsOf, isWord }: Pick<KnownWords, 'longFormsOf' | 'shortFormsOf' | 'isWord'>,
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): ParsedQuery {
  const readings = analyzers.map((analyzer) =>
    collectTokens(query.plain, analyzer, analyzer.isStopWord).filter(({ role }) => role === 'word'),
  );
  const said = new Set(readings.flat().map(({ term }) => term));
  const terms = query.terms.map((term) => {
    const { surface, variants = [] } = term;
    if (term.prefix || term.field !== undefined || term.standsFor) return term;
    const longForms = longFormsOf(term.term);
    const isSure = longForms.length > 0 && (CAPITALS.test(surface) || !isWord(fold(surface)));
    if (!isSure || longForms.some((words) => words.every((word) => said.has(word.term)))) return term;
    return { ...term, variants: uniquePhrases([...variants, ...longForms.slice(0, MAX_LONG_FORMS)]) };
  });
  const added = new Map<string, QueryTerm>();
  // Definitions are stored with the terms of their own language, so look up the words of each language separately.
  for (const run of readings.filter(({ length }) => length <= MAX_NAME_QUERY_LENGTH).flatMap(runsOf)) {
    const standsFor = run.map(({ term }) => term);
    const surface = run.map((word) => word.surface).join(' ');
    for (const term of shortFormsOf(standsFor)) {
      if (!said.has(term)) added.set(term, { term, surface, prefix: false, standsFor });
    }
  }
  return withTerms(query, [...terms, ...added.values()]);
}

/** Returns all runs of two to `MAX_NAME_WORDS` words. */
function runsOf(words: readonly Token[]): readonly (readonly Token[])[] {
  return words.flatMap((_, first) => {
    const most = Math.min(words.length - first, MAX_NAME_WORDS);
    return Array.from({ length: Math.max(0, most - 1) }, (_, more) => words.slice(first, first + 2 + more));
  });
}
