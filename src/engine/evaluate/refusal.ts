/** Measures how often search returns nothing for unanswerable queries, and something for the others. */
import { type Outcome, rocArea } from '../../core/evaluate/calibration.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { Index } from '../api.ts';
import type { Refusal } from './evaluation.ts';
import type { QueryLine } from './judgement-files.ts';

/**
 * Asks both kinds of queries as a user would, with the threshold of the settings.
 * @param confidences of the best hits, 0 without hits
 * @returns undefined without unanswerable queries
 */
export async function measureRefusal(
  index: Index,
  mode: SearchMode,
  queries: { readonly answerable: readonly QueryLine[]; readonly unanswerable: readonly QueryLine[] },
  confidences: { readonly answerable: readonly number[]; readonly unanswerable: readonly number[] },
  signal?: AbortSignal,
): Promise<Refusal | undefined> {
  if (queries.unanswerable.length === 0) return undefined;
  const answered = async (asked: readonly QueryLine[]): Promise<number> => {
    let count = 0;
    for (const { text } of asked) {
      const { hits } = await index.search(text, { mode, topN: 1, parents: false, ...(signal && { signal }) });
      if (hits.length > 0) count++;
    }
    return count / asked.length;
  };
  const area = rocArea([
    ...confidences.answerable.map((confidence): Outcome => ({ confidence, correct: true })),
    ...confidences.unanswerable.map((confidence): Outcome => ({ confidence, correct: false })),
  ]);
  return {
    queries: queries.unanswerable.length,
    refused: 1 - (await answered(queries.unanswerable)),
    kept: await answered(queries.answerable),
    ...(area !== undefined && { area }),
  };
}
