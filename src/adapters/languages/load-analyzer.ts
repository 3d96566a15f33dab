/** Brings together what a language needs: Snowball's stemmer, stop words, and the segmenter of the runtime. */
import { type Analyzer, AUTO_ANALYZER, createAnalyzer } from '../../core/text/analyzer.ts';
import type { LanguageCode } from '../../core/text/languages.ts';
import { SPANISH_STOP_WORDS } from './spanish-stop-words.ts';

/** Loads what the language needs and no more; for English and Korean that is the same as `auto`. */
export async function loadAnalyzer(language: LanguageCode): Promise<Analyzer> {
  if (language === 'auto' || language === 'en' || language === 'ko') return AUTO_ANALYZER;
  const { stemmer, stopwords } = await LOADERS[language]();
  const segment = segmenterOf(language);
  return createAnalyzer({
    language,
    stopWords: stopwords,
    ...(stemmer && { stem: (word: string) => stemmer(word.toLocaleLowerCase(language)) }),
    ...(segment && { segment }),
  });
}

interface Words {
  /** Wants lower case. */
  readonly stemmer?: (word: string) => string;
  readonly stopwords: readonly string[];
}

/** Paths are written out, so that bundlers find them. */
const LOADERS: Readonly<Record<Exclude<LanguageCode, 'auto' | 'en' | 'ko'>, () => Promise<Words>>> = {
  ar: () => words(import('@orama/stemmers/arabic'), import('@orama/stopwords/arabic')),
  da: () => words(import('@orama/stemmers/danish'), import('@orama/stopwords/danish')),
  de: () => words(import('@orama/stemmers/german'), import('@orama/stopwords/german')),
  el: () => words(import('@orama/stemmers/greek'), import('@orama/stopwords/greek')),
  // The package's list of Spanish stop words holds words such as trabajo, valor and tiempo.
  es: async () => ({
    stemmer: (await import('@orama/stemmers/spanish')).stemmer,
    stopwords: SPANISH_STOP_WORDS,
  }),
  fi: () => words(import('@orama/stemmers/finnish'), import('@orama/stopwords/finnish')),
  fr: () => words(import('@orama/stemmers/french'), import('@orama/stopwords/french')),
  ga: () => words(import('@orama/stemmers/irish'), import('@orama/stopwords/irish')),
  hi: () => words(import('@orama/stemmers/indian'), import('@orama/stopwords/indian')),
  hu: () => words(import('@orama/stemmers/hungarian'), import('@orama/stopwords/hungarian')),
  hy: () => words(import('@orama/stemmers/armenian'), import('@orama/stopwords/armenian')),
  id: () => words(import('@orama/stemmers/indonesian'), import('@orama/stopwords/indonesian')),
  it: () => words(import('@orama/stemmers/italian'), import('@orama/stopwords/italian')),
  ja: () => import('@orama/stopwords/japanese'),
  ne: () => words(import('@orama/stemmers/nepali'), import('@orama/stopwords/nepali')),
  nl: () => words(import('@orama/stemmers/dutch'), import('@orama/stopwords/dutch')),
  no: () => words(import('@orama/stemmers/norwegian'), import('@orama/stopwords/norwegian')),
  pt: () => words(import('@orama/stemmers/portuguese'), import('@orama/stopwords/portuguese')),
  ro: () => words(import('@orama/stemmers/romanian'), import('@orama/stopwords/romanian')),
  ru: () => words(import('@orama/stemmers/russian'), import('@orama/stopwords/russian')),
  sv: () => words(import('@orama/stemmers/swedish'), import('@orama/stopwords/swedish')),
  ta: () => words(import('@orama/stemmers/tamil'), import('@orama/stopwords/tamil')),
  tr: () => words(import('@orama/stemmers/turkish'), import('@orama/stopwords/turkish')),
  zh: () => import('@orama/stopwords/mandarin'),
};

async function words(
  stemming: Promise<Pick<Required<Words>, 'stemmer'>>,
  stopping: Promise<Pick<Words, 'stopwords'>>,
): Promise<Words> {
  const [{ stemmer }, { stopwords }] = await Promise.all([stemming, stopping]);
  return { stemmer, stopwords };
}

/** Undefined for languages with spaces, and where the runtime has no segmenter. */
function segmenterOf(language: LanguageCode): Analyzer['segment'] {
  if (!(language === 'ja' || language === 'zh') || !('Segmenter' in Intl)) return undefined;
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  return (text) => segmenter.segment(text);
}
