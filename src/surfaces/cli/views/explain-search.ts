/** What was done with a query before any hit is explained: what it was taken for, which rankings counted, how many were left. */
import type * as z from 'zod';
import type { Immutable } from '../../operations/operation.ts';
import type { search } from '../../operations/search.ts';
import { plural } from '../terminal.ts';

type Answer = Immutable<z.output<typeof search.output>>;

/** Lines for the terminal; also where there are no hits. */
export function explainSearch({ query_type, query_sign, weights, stats, timings_ms }: Answer): string[] {
  const lanes = Object.entries(weights).map(([lane, weight]) => `${lane} ${weight.toFixed(2)}`);
  const left = [
    plural(stats.original_count, 'candidate'),
    `${stats.after_threshold} sure enough`,
    `${stats.after_semantic_dedup} after duplicates`,
    `${stats.after_document_limit} within the limit of a document`,
    `${stats.after_parents} as sections`,
  ];
  return [
    // Neither a hypothesis nor filters alone are classified.
    ...(timings_ms.classify === undefined ? [] : [`${query_type} query (${query_sign ?? 'no sign'})`]),
    ...(lanes.length > 0 ? [`weights: ${lanes.join(' · ')}`] : []),
    left.join(' → '),
  ];
}
