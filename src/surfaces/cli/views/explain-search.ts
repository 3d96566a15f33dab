/** What was done with a query before any hit is explained: what it was taken for, which rankings counted, how many were left. */
import type { AnswerOf } from '../../operations/operation.ts';
import type { search } from '../../operations/search.ts';
import { plural } from '../terminal.ts';

type Answer = AnswerOf<typeof search>;

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
  const narrowing = [
    ['threshold', `${stats.after_threshold} sure enough`],
    ['content_dedup', `${stats.after_content_dedup} without copies`],
    ['ngram_dedup', `${stats.after_ngram_dedup} without near copies`],
    ['semantic_dedup', `${stats.after_semantic_dedup} without restatements`],
    ['document_limit', `${stats.after_document_limit} within the limit of a document`],
    ['parents', `${stats.after_parents} as sections`],
  ] as const;
  const left = [
    plural(stats.original_count, 'candidate'),
    ...narrowing.filter(([stage]) => stage in timings_ms).map(([, text]) => text),
    `${hits.length} shown`,
  ];
  return [
    ...(query_type === undefined
      ? []
      : [`${query_type} query (${query_sign ?? 'nothing in it points to another kind'})`]),
    ...(stats.after_filters === undefined
      ? []
      : [`${stats.after_filters} of ${plural(index.chunks, 'passage')} let through`]),
    ...(lanes.length > 0 ? [`weights: ${lanes.join(' · ')}`] : []),
    left.join(' → '),
  ];
}
