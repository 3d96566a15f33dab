/** Analyzers turn the texts of one language into index terms; index and query share the same analyzer. */
import { analyze, ENGLISH_RULES } from './analyze.ts';
import { fold } from './fold.ts';
import { LANGUAGES, type Language, type LanguageCode } from './languages.ts';
import { type Respell, respellKana } from './respell.ts';
import { isStopWord, plainForm } from './stopwords.ts';
import type { Tokenizer, TokenizerRules } from './token.ts';
import { createTokenizer } from './tokenizer.ts';
import { isIndexed, withoutApostrophes } from './words.ts';

export interface Analyzer {
  readonly language: LanguageCode;
  readonly tokenize: Tokenizer;
  /** Whether a word is a stop word, such as `the`, in any letter case. */
  readonly isStopWord: (word: string) => boolean;
  /** Returns respellings of a query, such as hiragana for katakana. Their words match too. */
  readonly respell: Respell;
}

/** Stems words of a–z as English, folds other words, and splits unspaced scripts into pairs of characters. */
export const AUTO_ANALYZER: Analyzer = {
  language: 'auto',
  tokenize: analyze,
  isStopWord,
  respell: respellKana,
};

export interface AnalyzerOptions extends Pick<Analyzer, 'language' | 'respell'> {
  /** Stems a word in Unicode NFC, without apostrophes. Used only if the language has `letters`. */
  readonly stem?: (word: string) => string;
  readonly stopWords: readonly string[];
}

/**
 * Makes an analyzer. A word with only letters of the language is first stemmed, with its accents; then the stem is folded.
 * All other text is analysed as in `auto`.
 */
export function createAnalyzer({ language, stem, stopWords, respell }: AnalyzerOptions): Analyzer {
  const { letters, elided }: Language = LANGUAGES[language];
  const unsaid = new Set(stopWords.map(plainForm));

  /** Returns the folded stem; undefined without a stemmer, or if the word has letters that the stemmer does not know. */
  function stemOf(word: string): string | undefined {
    if (!stem || letters?.test(word) !== true) return undefined;
    const stemmed = fold(stem(word));
    // A stem of a single letter would not be indexed.
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
    respell,
  };
}

function elisionWidth(elided: string): TokenizerRules['elisionWidth'] {
  const pattern = new RegExp(`^(?:${elided})['’](?=\\p{L})`, 'iu');
  return (text, start) =>
    pattern.exec(text.slice(start, start + MAX_ELISION_LENGTH))?.[0].length ??
    ENGLISH_RULES.elisionWidth(text, start);
}

/** Max UTF-16 units of an elision together with its apostrophe and the letter after it. */
const MAX_ELISION_LENGTH = 9;

/** The analyzers of an index whose collections may be in different languages. */
export interface Analyzers {
  /** All different analyzers, sorted by language code; never empty. */
  readonly all: readonly Analyzer[];
  readonly of: (collection: string) => Analyzer;
  /** Collections whose language is not `auto`, each with its language. Analyzers with the same identity make the same terms. */
  readonly identity: string;
}

/**
 * Combines the analyzers of collections.
 * @param byCollection a collection that is missing here has the language `auto`
 */
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
