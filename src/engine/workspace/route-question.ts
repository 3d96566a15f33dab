/** Decides by language which embedding model answers a question. Only one model answers: a sum of both is worse than either. */
import type { CollectionWords } from '../../core/model/query.ts';
import type { LanguageDetector } from '../../core/ports.ts';
import { documentFilter } from '../../core/query/filter.ts';
import type { SearchRequest } from '../../core/search/state.ts';
import { hasOtherScript } from '../../core/text/language-signs.ts';
import type { LoadedIndexes } from './loaded-indexes.ts';

/** The parts of a request that decide which model answers. */
export type Question = Pick<SearchRequest, 'query' | 'filters' | 'hypothesis'>;

/**
 * The first model has no vectors of documents in other languages, so it answers only if at least this share of the documents is
 * in English. It gains .02 to .05 nDCG on English pages, and loses about .3 on others.
 */
const MIN_ENGLISH = 0.9;

/** Below this number of letters, the detector takes names and lists of English words for another language. */
const MIN_LETTERS = 30;

/**
 * Whether a question is in English. A question whose words are all in the documents counts as English. There is one
 * exception: some documents are in other languages, and the detector is sure that the question is, too.
 */
export async function isEnglishQuestion(
  { query, hypothesis }: Question,
  words: Pick<CollectionWords, 'countOf'>,
  others: ReadonlySet<number>,
  openDetector: () => Promise<LanguageDetector | undefined>,
): Promise<boolean> {
  const text = hypothesis ?? query.plain;
  if (hasOtherScript(text)) return false;
  const isKnown =
    hypothesis === undefined &&
    [...query.terms].every(({ term, forms = [] }) =>
      [term, ...forms].some((form) => words.countOf(form) > 0),
    );
  const isShort = (text.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS;
  if (isKnown && (others.size === 0 || isShort)) return true;
  const found = (await openDetector())?.detect(text);
  return !found || found.language === 'en' || (isKnown && !found.isSure);
}

/** Whether nearly all documents that pass the filters of a question are in English. */
export function isAmongEnglish(
  { query, filters }: Question,
  { all }: Pick<LoadedIndexes['catalog'], 'all'>,
  others: ReadonlySet<number>,
): boolean {
  if (others.size === 0) return true;
  const tests = [filters, query.filters].flatMap((each) => documentFilter(each) ?? []);
  let [total, english] = [0, 0];
  for (const document of all()) {
    if (!tests.every((passes) => passes(document))) continue;
    total++;
    if (!others.has(document.number)) english++;
  }
  return english >= MIN_ENGLISH * total;
}
