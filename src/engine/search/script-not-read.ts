/** Says that the packaged model, which is for English, does not read the script of a query. */
import type { CollectionWords } from '../../core/model/query.ts';
import type { SearchRequest } from '../../core/search/state.ts';
import { hasOtherScript } from '../../core/text/language-signs.ts';
import { PACKAGED_MODEL } from '../config/settings.ts';

/** @returns undefined if another model answers, or the documents have a word of the query */
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
  return `The model ${PACKAGED_MODEL} reads English only; embedding.multilingual_model adds one for questions in other languages.`;
}
