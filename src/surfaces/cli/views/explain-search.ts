/** What `--explain` prints: how the query was understood, the weight of each lane, the count after each stage, and every score. */
import type { Explanation } from '../../../core/model/hit.ts';
import { oneLine } from '../../../core/text/one-line.ts';
import { plural } from '../terminal.ts';
import type { Answer } from './view.ts';

/** Explains the search as a whole; also printed if there are no hits. */
export function explainSearch({
  query_type,
  query_sign,
  weights,
  stats,
  timings_ms,
  index,
  hits,
}: Answer<'search'>): string[] {
  const lanes = Object.entries(weights).map(([lane, weight]) => `${lane} ${weight.toFixed(2)}`);
  const narrowing = [
    ['threshold', `${stats.after_threshold} above the threshold`],
    ['content_dedup', `${stats.after_content_dedup} after exact duplicates`],
    ['ngram_dedup', `${stats.after_ngram_dedup} after near duplicates`],
    ['semantic_dedup', `${stats.after_semantic_dedup} after duplicates in meaning`],
    ['document_limit', `${stats.after_document_limit} after the limit per document`],
    ['parents', `${stats.after_parents} as larger sections`],
  ] as const;
  const left = [
    plural(stats.original_count, 'candidate'),
    ...narrowing.filter(([stage]) => stage in timings_ms).map(([, text]) => text),
    `${hits.length} shown`,
  ];
  const lines: string[] = [];
  if (query_type !== undefined) {
    lines.push(`${query_type} query (${query_sign ?? 'nothing in it points to another kind'})`);
  }
  if (stats.after_filters !== undefined) {
    lines.push(`${stats.after_filters} of ${plural(index.chunks, 'passage')} pass the filters`);
  }
  if (lanes.length > 0) lines.push(`weights: ${lanes.join(' · ')}`);
  return [...lines, left.join(' → ')];
}

type Node = Omit<Explanation, 'parts' | 'weight'> & {
  readonly weight?: number | undefined;
  readonly parts?: readonly Node[] | undefined;
};

/** The score of a hit as an indented tree, one number a line: `0.87  fused`. */
export function explain(node: Node, depth = 0): string[] {
  const weight = node.weight === undefined ? '' : ` × ${round(node.weight)}`;
  const line = `${'  '.repeat(depth)}${round(node.value)}${weight}  ${oneLine(node.label)}`;
  return [line, ...(node.parts ?? []).flatMap((part) => explain(part, depth + 1))];
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
