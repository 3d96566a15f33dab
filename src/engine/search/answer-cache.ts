/** Caches the latest answers, for questions that are asked again while the index is unchanged. */
import { keepLatest } from '../../core/text/keep-latest.ts';
import type { SearchResult } from '../api.ts';
import { NOT_RERANKED } from '../workspace/semantic-index.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Max cached answers, about 5 MB. */
const MAX_ANSWERS = 100;
/** Answers with more hits are not cached: only programs ask for so many hits, and they ask each question only once. */
const MAX_HITS = 30;
/** Max milliseconds for which an answer is cached. It expires, because recency changes scores as time passes. */
const MAX_AGE = 60_000;

/**
 * Makes an empty cache. Every change of the index empties it.
 * @returns a function that answers from the cache, or by `make` if no equal question was asked since the last change
 */
export function createAnswerCache() {
  const empty = () =>
    keepLatest<string, { readonly result: SearchResult; readonly until: number }>(MAX_ANSWERS);
  let kept = empty();
  let of: Workspace | undefined;
  let edition = 0;

  return async (
    workspace: Workspace,
    question: unknown,
    make: () => Promise<SearchResult>,
  ): Promise<SearchResult> => {
    const began = workspace.clock.monotonic();
    if (workspace !== of || workspace.edition() !== edition) kept = empty();
    of = workspace;
    const asked = workspace.edition();
    edition = asked;
    const key = JSON.stringify(question);
    const found = kept.get(key);
    if (found && found.until > began)
      return copyOf(found.result, { total: workspace.clock.monotonic() - began });
    const result = await make();
    const { mode, weights, index, hits, unsure, notice } = result;
    // If vectors or reranking were not available, the answer is not cached: they may be available for the next question.
    const isReranked = !notice?.startsWith(NOT_RERANKED);
    const isByMeaning = mode !== 'hybrid' || weights.semantic !== undefined;
    const isComplete = index.updated !== undefined && isByMeaning && isReranked;
    const isLasting = isComplete && hits.length + unsure.length <= MAX_HITS;
    if (isLasting && of === workspace && workspace.edition() === asked)
      kept.set(key, { result: copyOf(result), until: began + MAX_AGE });
    return result;
  };
}

/** Copies an answer with its lists, because a caller may sort them. */
function copyOf(result: SearchResult, timingsMs = result.timingsMs): SearchResult {
  return { ...result, hits: [...result.hits], unsure: [...result.unsure], timingsMs };
}
