/** How the texts of one language become index terms, as a value that index and query share. */
import { analyze, ENGLISH_RULES } from './analyze.ts';
import { fold } from './fold.ts';
import { LANGUAGES, type Language, type LanguageCode } from './languages.ts';
import { isStopWord, plainForm } from './stopwords.ts';
import type { Tokenizer, TokenizerRules } from './token.ts';
import { createTokenizer } from './tokenizer.ts';
import { isIndexed, withoutApostrophes } from './words.ts';

export interface Analyzer {
  readonly language: LanguageCode;
  readonly tokenize: Tokenizer;
  /** Whether a word as written, in any case, says nothing about a subject. */
  readonly isStopWord: (word: string) => boolean;
  /** Cuts a text without spaces into words; absent where nothing can. */
  readonly segment?: (text: string) => Iterable<Segment>;
}

/** A word and where it begins, in UTF-16 units. */
export interface Segment {
  readonly segment: string;
  readonly index: number;
}

/** English stems for a–z, other words as folded, pairs of characters in unspaced scripts. */
export const AUTO_ANALYZER: Analyzer = { language: 'auto', tokenize: analyze, isStopWord };

export interface AnalyzerOptions {
  readonly language: LanguageCode;
  /** Stem of a word as written, without apostrophes, in normal form C; for a language with `letters`. */
  readonly stem?: (word: string) => string;
  readonly stopWords: readonly string[];
  readonly segment?: NonNullable<Analyzer['segment']>;
}

/**
 * Stems words in the letters of the language, accents and all, and folds the stem; all other text is analysed as `auto` does.
 */
export function createAnalyzer({ language, stem, stopWords, segment }: AnalyzerOptions): Analyzer {
  const { letters, elided }: Language = LANGUAGES[language];
  const unsaid = new Set(stopWords.map(plainForm));

  /** Undefined for a word in other letters. */
  function stemOf(word: string): string | undefined {
    if (!stem || letters?.test(word) !== true) return undefined;
    const stemmed = fold(stem(word));
    // A single letter would not be indexed.
    return isIndexed(stemmed) ? stemmed : fold(word);
  }

  const tokenize = createTokenizer({
    ...ENGLISH_RULES,
    toTerm: (folded, written) =>
      stemOf(withoutApostrophes(written.normalize('NFC'))) ??
      stemOf(folded) ??
      ENGLISH_RULES.toTerm(folded, written),
    ...(elided && { elisionWidth: elisionWidth(elided) }),
  });
  return {
    language,
    tokenize,
    isStopWord(word) {
      const plain = plainForm(word);
      return unsaid.has(plain) || (letters?.test(plain) !== true && isStopWord(word));
    },
    ...(segment && { segment }),
  };
}

function elisionWidth(elided: string): NonNullable<TokenizerRules['elisionWidth']> {
  const pattern = new RegExp(`^(?:${elided})['’](?=\\p{L})`, 'iu');
  return (text, start) => pattern.exec(text.slice(start, start + MAX_ELISION_LENGTH))?.[0].length ?? 0;
}

/** Matches together with the letter after it. */
const MAX_ELISION_LENGTH = 9;

/** The analyzers of an index whose collections may be in different languages. */
export interface Analyzers {
  /** Each once, in the order of their languages; never empty. */
  readonly all: readonly Analyzer[];
  readonly of: (collection: string) => Analyzer;
  /** Says which collections are in a language of their own; equal where texts become equal terms. */
  readonly identity: string;
}

/** @param byCollection a collection that is not in it is taken as `auto` */
export function chooseAnalyzers(byCollection: ReadonlyMap<string, Analyzer> = new Map()): Analyzers {
  const byLanguage = new Map([...byCollection.values()].map((analyzer) => [analyzer.language, analyzer]));
  if (byLanguage.size === 0) byLanguage.set(AUTO_ANALYZER.language, AUTO_ANALYZER);
  const named = [...byCollection].filter(([, { language }]) => language !== AUTO_ANALYZER.language);
  return {
    all: [...byLanguage.values()].sort((a, b) => (a.language < b.language ? -1 : 1)),
    of: (collection) => byCollection.get(collection) ?? AUTO_ANALYZER,
    identity: named
      .map(([collection, { language }]) => `${collection}=${language}`)
      .sort()
      .join('/'),
  };
}
