/** From the tokens of a query to its terms: each once with its count, without stop words unless there is nothing else. */
import type { CollectionWords, ParsedQuery, PhraseTerms, QueryTerm } from '../model/query.ts';
import type { Analyzer } from '../text/analyzer.ts';
import type { TokenRole } from '../text/token.ts';

export interface Token {
  readonly term: string;
  readonly position: number;
  readonly end: number;
  /** `alone`: one character of a longer run, indexed as a word of its own. */
  readonly role: TokenRole | 'alone';
  /** As typed. */
  readonly surface: string;
  readonly isStopWord: boolean;
  /** Its terms in other languages, where they differ. */
  readonly forms?: readonly string[];
}

/** A term that may be left out when others are kept. */
export interface ReadTerm {
  readonly term: QueryTerm;
  readonly isKept: boolean;
}

export type StopWordTest = Analyzer['isStopWord'];

/** What is known of words: by the collection, by the language and by the query. */
export interface KnownWords extends CollectionWords {
  /** Whether a folded word is one of the language, and so no slip and no name. */
  readonly isWord: (word: string) => boolean;
  /** Whether a folded word says nothing about a subject. */
  readonly isStopWord: StopWordTest;
}

/**
 * Which words of a query are stop words. `war` is a stop word to German and a subject to English, so of
 * several languages the one decides in which the query has the most stop words; where several have as many, a
 * word is one if all say so.
 */
export function stopWordTest(query: string, analyzers: readonly Analyzer[]): StopWordTest {
  if (analyzers.length === 1) return analyzers[0]!.isStopWord;
  const counts = analyzers.map(
    (analyzer) =>
      collectTokens(query, analyzer, analyzer.isStopWord).filter((token) => token.isStopWord).length,
  );
  const most = Math.max(...counts);
  const likeliest = analyzers.filter((_, index) => counts[index] === most);
  return (word) => likeliest.every(({ isStopWord }) => isStopWord(word));
}

/** The tokens of a text as a list, in one language. */
export function collectTokens(
  text: string,
  { tokenize, segment }: Pick<Analyzer, 'tokenize' | 'segment'>,
  isStopWord: StopWordTest,
): readonly Token[] {
  const tokens: Token[] = [];
  const words = segment && new Map(Array.from(segment(text), (word) => [word.index, word.segment]));
  tokenize(text, (term, position, start, end, role) => {
    const surface = text.slice(start, end);
    const isAlone = role === 'character' && words?.get(start) === surface;
    const token = { term, position, end, surface, isStopWord: isStopWord(surface) };
    tokens.push({ ...token, role: isAlone ? 'alone' : role });
  });
  return tokens;
}

/**
 * The tokens of a text for documents in several languages: what ends at one place is one token, whose terms in the
 * other languages are its forms.
 */
export function readTokens(
  text: string,
  analyzers: readonly Analyzer[],
  isStopWord: StopWordTest = stopWordTest(text, analyzers),
): readonly Token[] {
  const readings = analyzers.map((analyzer) => collectTokens(text, analyzer, isStopWord));
  if (readings.length === 1) return readings[0]!;
  const places = Map.groupBy(readings.flatMap(withPlaces), ({ place }) => place);
  return [...places.values()].map((same) => {
    const { place: _, ...first } = same[0]!;
    const forms = new Set(same.map(({ term }) => term));
    forms.delete(first.term);
    // French reads `qu'il` as `il`.
    const isStopped = same.some((token) => token.isStopWord);
    return { ...first, isStopWord: isStopped, ...(forms.size > 0 && { forms: [...forms] }) };
  });
}

/** Each once: what languages agree on must not count as often as there are languages. */
export function uniquePhrases(phrases: readonly PhraseTerms[]): readonly PhraseTerms[] {
  return [...new Map(phrases.map((phrase) => [JSON.stringify(phrase), phrase])).values()];
}

/** Counts compounds by their ends: a compound ends where its last inner compound ends. */
function withPlaces(tokens: readonly Token[]): readonly (Token & { readonly place: string })[] {
  const counts = new Map<string, number>();
  return tokens.map((token) => {
    const end = `${token.role} ${token.end}`;
    const count = (counts.get(end) ?? 0) + 1;
    counts.set(end, count);
    return { ...token, place: `${end} ${count}` };
  });
}

/** The terms that are kept, or all when none is; the first of equal ones stands for all and counts them. */
export function selectTerms(read: readonly ReadTerm[]): readonly QueryTerm[] {
  const kept = read.filter(({ isKept }) => isKept);
  const terms = new Map<string, QueryTerm>();
  for (const { term } of kept.length > 0 ? kept : read) {
    const key = [term.field ?? '', term.prefix, term.term, ...(term.forms ?? [])].join(':');
    const same = terms.get(key);
    terms.set(key, same ? { ...same, count: (same.count ?? 1) + 1 } : term);
  }
  return [...terms.values()];
}

/** The query with these scored terms; itself when they are the same. */
export function withTerms(query: ParsedQuery, terms: readonly QueryTerm[]): ParsedQuery {
  const { terms: former } = query;
  const isSame = terms.length === former.length && terms.every((term, index) => term === former[index]);
  return isSame ? query : { ...query, terms };
}

/** Separators between names: spaces, commas, slashes, dashes but not hyphens. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Cf}\p{Pc}.:'’+#-]+/u;

/**
 * Words of the question that count, stop words left out. A name of several parts is one word, and so is a run of a script
 * without spaces, whose terms are single characters and pairs.
 */
export function questionLength({ terms, plain }: Pick<ParsedQuery, 'terms' | 'plain'>): number {
  const typed = terms.filter(({ standsFor }) => !standsFor).length;
  return Math.min(typed, plain.split(BETWEEN_WORDS).filter(Boolean).length);
}
