/** Whether a search says nothing where nothing answers, and still answers the rest. */
import type { SearchMode } from '../../core/model/query.ts';
import type { Index } from '../api.ts';
import type { QueryLine } from './judgement-files.ts';

export interface Refusal {
  /** Queries that no document answers. */
  readonly queries: number;
  /** Share of them for which nothing passes the threshold, 0–1; more is better. */
  readonly refused: number;
  /** Share of the answerable queries that keep at least one hit, 0–1; more is better. */
  readonly kept: number;
}

/**
 * Asks both kinds of queries as a user would, with the threshold of the settings.
 * @returns nothing when there is no unanswerable query: a share of none has no value
 */
export async function measureRefusal(
  index: Index,
  mode: SearchMode,
  answerable: readonly QueryLine[],
  unanswerable: readonly QueryLine[],
  signal?: AbortSignal,
): Promise<Refusal | undefined> {
  if (unanswerable.length === 0) return undefined;
  const answered = async (queries: readonly QueryLine[]): Promise<number> => {
    let count = 0;
    for (const { text } of queries) {
      const { hits } = await index.search(text, { mode, topN: 1, parents: false, ...(signal && { signal }) });
      if (hits.length > 0) count++;
    }
    return count / queries.length;
  };
  return {
    queries: unanswerable.length,
    refused: 1 - (await answered(unanswerable)),
    kept: await answered(answerable),
  };
}
