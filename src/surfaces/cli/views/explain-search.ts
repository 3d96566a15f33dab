/** What was done with a query before any hit is explained: what it was taken for, which rankings counted, how many were left. */
import type * as z from 'zod';
import type { Immutable } from '../../operations/operation.ts';
import type { search } from '../../operations/search.ts';
import { plural } from '../terminal.ts';

type Answer = Immutable<z.output<typeof search.output>>;

/** Lines for the terminal; also where there are no hits. */
export function explainSearch({
  query_type,
  query_sign,
  weights,
  stats,
  timings_ms,
  index,
  hits,
}: Answer): string[] {
  const lanes = Object.entries(weights).map(([lane, weight]) => `${lane} ${weight.toFixed(2)}`);
  const left = [
    plural(stats.original_count, 'candidate'),
    `${stats.after_threshold} sure enough`,
    `${stats.after_content_dedup} without copies`,
    `${stats.after_ngram_dedup} without near copies`,
    `${stats.after_semantic_dedup} without restatements`,
    `${stats.after_document_limit} within the limit of a document`,
    `${stats.after_parents} as sections`,
    `${hits.length} shown`,
  ];
  return [
    // Neither a hypothesis nor filters alone are classified.
    ...(timings_ms.classify === undefined
      ? []
      : [`${query_type} query (${query_sign ?? 'nothing in it points to another kind'})`]),
    ...(stats.after_filters === undefined
      ? []
      : [`${stats.after_filters} of ${plural(index.chunks, 'passage')} let through`]),
    ...(lanes.length > 0 ? [`weights: ${lanes.join(' · ')}`] : []),
    left.join(' → '),
  ];
}
