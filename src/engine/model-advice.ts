/** Advises another embedding model if enough documents, or a query, are not in English. */
import type { CollectionWords } from '../core/model/query.ts';
import type { LanguageDetector } from '../core/ports.ts';
import type { SearchRequest } from '../core/search/state.ts';
import { hasOtherScript, looksEnglish } from '../core/text/language-signs.ts';
import { LANGUAGES, type Language } from '../core/text/languages.ts';
import { PACKAGED_MODEL } from './config/settings.ts';
import { isEnglishText, sample } from './workspace/document-languages.ts';
import type { Workspace } from './workspace/workspace.ts';

/** Max documents that are examined. They are evenly spaced. */
const EXAMINED = 200;
/** Min number, and min share, of documents in other languages. More than half of the documents are always enough. */
const MIN_OTHERS = 5;
const MIN_SHARE = 0.1;

/** @returns undefined if nearly all documents are in English, or the settings name a model */
export async function modelAdvice(workspace: Workspace) {
  const { store, catalog, collections } = workspace;
  if (!workspace.advisesModel) return undefined;
  const all = [...catalog().all()];
  const step = Math.ceil(all.length / EXAMINED) || 1;
  const examined = all.filter((_, place) => place % step === 0);
  const areMost = (texts: readonly string[]) => texts.length * 2 > examined.length;
  const areEnough = (texts: readonly string[]) =>
    areMost(texts) || (texts.length >= MIN_OTHERS && texts.length >= MIN_SHARE * examined.length);
  const unlike = examined
    .map(({ number, title }) => `${title}\n${sample(store, number)}`)
    .filter((text) => !looksEnglish(text));
  if (!areEnough(unlike)) return undefined;
  const detector = await workspace.openDetector();
  const others = unlike.filter((text) => !isEnglishText(text, detector));
  // Without a detector, lists and tables count as other languages (12 % of one English vault), so more than half is required.
  if (!(detector ? areEnough : areMost)(others)) return undefined;
  const share = Math.round((100 * others.length) / examined.length);
  const language = collections.every((each) => each.language === 'auto') && commonest(others, detector);
  return {
    message: `About ${share} % of the documents are not in English, the language of the model ${PACKAGED_MODEL}: most questions find them by words only.`,
    remedy: `A multilingual model finds them by meaning: docfuse models pull intfloat/multilingual-e5-small (490 MB), then set embedding.multilingual_model = "intfloat/multilingual-e5-small" in docfuse.toml or ~/.config/docfuse/docfuse.toml; in a trusted file, the path of a folder with a model works, too.${language ? ` Words are also found in other forms if docfuse.toml names the folder as a collection with language = "${language}".` : ''}`,
  };
}

/**
 * Returns a notice that the packaged model does not read the script of the query.
 * @returns undefined if another model answers, or the documents have a word of the query
 */
export function scriptNotRead(
  { mode, query }: Pick<SearchRequest, 'mode' | 'query'>,
  words: Pick<CollectionWords, 'countOf'> | undefined,
  model: string,
): string | undefined {
  if (mode === 'keyword' || mode === 'code' || !model.startsWith(`${PACKAGED_MODEL}@`)) return undefined;
  const isFound = query.terms.some(({ term, forms = [] }) =>
    [term, ...forms].some((form) => (words?.countOf(form) ?? 1) > 0),
  );
  if (isFound || !hasOtherScript(query.plain)) return undefined;
  return `The model ${PACKAGED_MODEL} reads English only; embedding.multilingual_model adds a model for questions in other languages.`;
}

/** Returns the language of more than half of the texts; undefined if docfuse does not find forms of words in this language. */
function commonest(texts: readonly string[], detector: LanguageDetector | undefined): string | undefined {
  const languages = texts.map((text) => detector?.detect(text)?.language ?? '');
  const [[language, alike] = ['', []]] = [...Map.groupBy(languages, (each) => each)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const { letters } = (LANGUAGES as Readonly<Record<string, Language>>)[language] ?? {};
  return letters && alike.length * 2 > texts.length ? language : undefined;
}
