/** Brings together what a language needs: Snowball's stemmer, stop words, and the segmenter of the runtime. */
import {
  type Analyzer,
  type Analyzers,
  AUTO_ANALYZER,
  chooseAnalyzers,
  createAnalyzer,
} from '../../core/text/analyzer.ts';
import type { LanguageCode } from '../../core/text/languages.ts';

/** Loads what the languages of some collections need, and nothing for other languages. */
export async function loadAnalyzers(
  collections: readonly { readonly name: string; readonly language: LanguageCode }[],
): Promise<Analyzers> {
  const languages = [...new Set(collections.map(({ language }) => language))];
  const loaded = await Promise.all(languages.map(async (each) => [each, await loadAnalyzer(each)] as const));
  const analyzers = new Map(loaded);
  return chooseAnalyzers(new Map(collections.map(({ name, language }) => [name, analyzers.get(language)!])));
}

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

/** In place of the package's list, which holds words such as trabajo, valor and tiempo. */
const SPANISH_STOP_WORDS: readonly string[] =
  `a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aquí así aun aún
   aunque cada como cómo con contra cual cuál cuales cuáles cualquier cuando cuándo cuanto cuánto de del desde donde
   dónde durante e el él ella ellas ello ellos en entre era eran eras eres es esa esas ese eso esos esta está estaba
   estaban estado están estar estas este esto estos estoy fue fueron ha había habían han has hasta hay haya he hemos
   la las le les lo los más me mi mí mía mías mientras mío míos mis misma mismas mismo mismos mucha muchas mucho muchos
   muy nada ni ningún ninguna ninguno no nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro
   otros para pero poco por porque pues que qué quien quién quienes se sea sean según ser será si sí sido sin sino sobre
   son soy su sus suya suyas suyo suyos también tampoco tan tanto te ti tiene tienen toda todas todo todos tu tú tus
   tuya tuyas tuyo tuyos u un una unas uno unos vosotras vosotros vuestra vuestras vuestro vuestros y ya yo`.split(
    /\s+/,
  );
