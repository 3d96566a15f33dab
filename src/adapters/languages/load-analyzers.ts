/** Loads the analyzer of a language: Snowball's stemmer, stop words, and a function that writes a query in other scripts. */
import {
  type Analyzer,
  type Analyzers,
  AUTO_ANALYZER,
  chooseAnalyzers,
  createAnalyzer,
} from '../../core/text/analyzer.ts';
import { LANGUAGES, type LanguageCode } from '../../core/text/languages.ts';
import { memoize } from '../../core/text/memoize.ts';
import { type Respell, respellKana } from '../../core/text/respell.ts';
import { createHanRespelling } from './respell-han.ts';

export async function loadAnalyzers(
  collections: readonly { readonly name: string; readonly language: LanguageCode }[],
): Promise<Analyzers> {
  const load = memoize(loadAnalyzer);
  const loaded = collections.map(async ({ name, language }) => [name, await load(language)] as const);
  return chooseAnalyzers(new Map(await Promise.all(loaded)));
}

/** Loads only what the language needs. English and Korean need only the analyzer for `auto`. */
export async function loadAnalyzer(language: LanguageCode): Promise<Analyzer> {
  const respellHan = createHanRespelling();
  const respell: Respell = (text) => [...respellKana(text), ...respellHan(text)];
  if (language === 'auto' || language === 'en' || language === 'ko') return { ...AUTO_ANALYZER, respell };
  const { stemmer, stopwords } = await loadWords(language);
  return createAnalyzer({
    language,
    stopWords: stopwords,
    ...(stemmer && { stem: (word: string) => stemmer(word.toLocaleLowerCase(language)) }),
    respell,
  });
}

interface Words {
  /** Stems a word in lower case; absent if the package has no stemmer for the language. */
  readonly stemmer?: (word: string) => string;
  readonly stopwords: readonly string[];
}

/** Names of files in the packages, for languages whose file has another name than the language. */
const FILES: Partial<Record<LanguageCode, string>> = { hi: 'indian', zh: 'mandarin' };

async function loadWords(language: LanguageCode): Promise<Words> {
  const file = FILES[language] ?? LANGUAGES[language].name.toLowerCase();
  const load = (path: string) => import(path);
  const [{ stemmer }, { stopwords }]: [Partial<Words>, Words] = await Promise.all([
    'letters' in LANGUAGES[language] ? load(`@orama/stemmers/${file}`) : {},
    load(`@orama/stopwords/${file}`),
  ]);
  return { ...(stemmer && { stemmer }), stopwords: language === 'es' ? SPANISH_STOP_WORDS : stopwords };
}

/** Replaces the package's stop words, some of which matter in a search, such as trabajo, valor and tiempo. */
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
