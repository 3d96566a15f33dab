/** Makes the terms of a query from tokens: each term once, with its count. Uses stop words only if there are no other words. */
import type { CollectionWords, ParsedQuery, PhraseTerms, QueryTerm } from '../model/query.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { isUnspaced } from '../text/scripts.ts';
import type { TokenRole } from '../text/token.ts';

export interface Token {
  readonly term: string;
  readonly position: number;
  readonly end: number;
  /** `alone`: one character that the segmenter reads as a word, in a longer run of an unspaced script. */
  readonly role: TokenRole | 'alone';
  /** The text as typed. */
  readonly surface: string;
  readonly isStopWord: boolean;
  /** Other terms of the token, in other languages and respellings. */
  readonly forms?: readonly string[];
}

export type StopWordTest = Analyzer['isStopWord'];

/** Facts about words from the collection, the language and the query. */
export interface KnownWords extends CollectionWords {
  /** Whether a folded word is a word of the language, and therefore neither a misspelling nor a name. */
  readonly isWord: (word: string) => boolean;
  readonly isStopWord: StopWordTest;
}

/**
 * Makes the test for stop words of a query. The language in which the query has the most stop words decides: `war` is a stop
 * word in German, but not in English. If several languages have equally many, a word must be a stop word in all of them.
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

/** Returns the tokens of a text in one language. */
export function collectTokens(
  text: string,
  { tokenize }: Pick<Analyzer, 'tokenize'>,
  isStopWord: StopWordTest,
): readonly Token[] {
  const tokens: Token[] = [];
  let words: ReturnType<typeof readUnspaced> | undefined;
  tokenize(text, (term, position, start, end, role) => {
    const surface = text.slice(start, end);
    if (!isUnspaced(surface)) {
      tokens.push({ term, position, end, surface, isStopWord: isStopWord(surface), role });
      return;
    }
    words ??= readUnspaced(text);
    const isAlone = role === 'character' && words.isWord(start, end);
    const isSilent = isStopWord(surface) || words.isGrammar(start, end);
    tokens.push({ term, position, end, surface, isStopWord: isSilent, role: isAlone ? 'alone' : role });
  });
  return tokens;
}

/**
 * Returns the tokens of a text in the language of each analyzer and in all respellings. Tokens with the same role and the same
 * end become one token; its terms in the other languages and respellings are its `forms`.
 */
export function readTokens(
  text: string,
  analyzers: readonly Analyzer[],
  isStopWord: StopWordTest = stopWordTest(text, analyzers),
): readonly Token[] {
  const readings = analyzers.map((analyzer) => collectTokens(text, analyzer, isStopWord));
  const written = respellings(text, analyzers);
  if (readings.length + written.length === 1) return readings[0]!;
  const places = Map.groupBy(readings.flatMap(withPlaces), ({ place }) => place);
  for (const [other, analyzer] of written) {
    // Only the typed text decides which words are stop words, not its respellings.
    for (const token of withPlaces(collectTokens(other, analyzer, isStopWord)))
      places.get(token.place)?.push({ ...token, isStopWord: false });
  }
  return [...places.values()].map((same) => {
    const { place: _, ...first } = same[0]!;
    const forms = new Set(same.map(({ term }) => term));
    forms.delete(first.term);
    // One reading as a stop word is enough: only the French analyzer reads `qu'il` as the stop word `il`.
    const isStopped = same.some((token) => token.isStopWord);
    return { ...first, isStopWord: isStopped, ...(forms.size > 0 && { forms: [...forms] }) };
  });
}

/** Returns the respellings of a text, such as hiragana for katakana, each with the analyzer that reads it. */
export function respellings(
  text: string,
  analyzers: readonly Analyzer[],
): readonly (readonly [string, Analyzer])[] {
  return analyzers.flatMap((analyzer) =>
    analyzer.respell(text).map((written) => [written, analyzer] as const),
  );
}

/** Removes repeated phrases: languages that read a phrase in the same way must not add it several times. */
export function uniquePhrases(phrases: readonly PhraseTerms[]): readonly PhraseTerms[] {
  return [...new Map(phrases.map((phrase) => [JSON.stringify(phrase), phrase])).values()];
}

/**
 * Gives each token a key, its place. Tokens of different readings with the same place are alternatives. Nested compounds with the
 * same end are numbered, so that each has its own place.
 */
function withPlaces(tokens: readonly Token[]): readonly (Token & { readonly place: string })[] {
  const counts = new Map<string, number>();
  return tokens.map((token) => {
    // A character may be a word by itself (`alone`) in the text but not in its respelling. Both get the same place.
    const end = `${token.role === 'alone' ? 'character' : token.role} ${token.end}`;
    const count = (counts.get(end) ?? 0) + 1;
    counts.set(end, count);
    return { ...token, place: `${end} ${count}` };
  });
}

/** Leaves out plain stop words, unless there are no other terms. Equal terms become one term, with their number as `count`. */
export function selectTerms(read: readonly QueryTerm[]): readonly QueryTerm[] {
  const kept = read.filter(({ stopWord }) => stopWord !== 'plain');
  const terms = new Map<string, QueryTerm>();
  for (const term of kept.length > 0 ? kept : read) {
    const key = [term.field ?? '', term.prefix, term.term, ...(term.forms ?? [])].join(':');
    const same = terms.get(key);
    terms.set(key, same ? { ...same, count: (same.count ?? 1) + 1 } : term);
  }
  return [...terms.values()];
}

/** Returns the query with these scored terms; the same object if nothing changes. */
export function withTerms(query: ParsedQuery, terms: readonly QueryTerm[]): ParsedQuery {
  const { terms: former } = query;
  const isSame = terms.length === former.length && terms.every((term, index) => term === former[index]);
  return isSame ? query : { ...query, terms };
}

/** Separators between names: spaces, commas, slashes and dashes, but not hyphens. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Cf}\p{Pc}.:'’+#-]+/u;

/**
 * Returns the number of words in a question, without stop words. A name of several parts is one word. A run of an unspaced
 * script, whose terms are characters and pairs, is one word too.
 */
export function questionLength({ terms, plain }: Pick<ParsedQuery, 'terms' | 'plain'>): number {
  const typed = terms.filter(({ standsFor }) => !standsFor).length;
  return Math.min(typed, plain.split(BETWEEN_WORDS).filter(Boolean).length);
}

/** Finds words with the dictionaries of the runtime. The script of a run, not the locale, decides which dictionary is used. */
function readUnspaced(text: string) {
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
  const ends = new Map(
    Array.from(segmenter.segment(text), (word) => [word.index, word.index + word.segment.length]),
  );
  const isWord = (start: number, end: number) => ends.get(start) === end;
  return {
    /** Whether the characters from `start` to `end` are one word. */
    isWord,
    /**
     * Whether the characters from `start` to `end` carry grammar only: a Japanese particle or ending in hiragana, a pair of
     * hiragana that belong to two words, or the last syllable of a Korean word and its particle.
     */
    isGrammar(start: number, end: number): boolean {
      const characters = text.slice(start, end);
      if (HIRAGANA.test(characters)) {
        return characters.length === 1 ? isWord(start, end) : ends.has(start + 1);
      }
      // If no syllable is before `start`, the only pair of characters of the word begins at `start` and must stay.
      const isInside = HANGUL.test(text.charAt(start - 1));
      return isInside && KOREAN_WITH_PARTICLE.test(characters) && !HANGUL.test(text.charAt(end));
    },
  };
}

const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u;
const HANGUL = /^\p{Script=Hangul}/u;
/** A syllable and a particle, which marks topic, subject, object, possession, place, direction, company, addition or limit. */
const KOREAN_WITH_PARTICLE = /^\p{Script=Hangul}[은는이가을를의에로와과도만]$/u;
