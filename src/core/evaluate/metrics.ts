/** Measures of a ranking of documents by judgements, as in trec_eval, with linear gains. */
import { mean } from './statistics.ts';

/** Grades of one query's judged documents, by id. A document is relevant if it has a grade above 0. */
export type Judgements = ReadonlyMap<string, number>;

/** Names of the measures, in the order in which they are shown. */
export const METRICS = ['ndcg5', 'ndcg10', 'mrr10', 'recall10', 'hit1'] as const;
export type Metric = (typeof METRICS)[number];

export const METRIC_NAMES: Readonly<Record<Metric, string>> = {
  ndcg5: 'nDCG@5',
  ndcg10: 'nDCG@10',
  mrr10: 'MRR@10',
  recall10: 'Recall@10',
  hit1: 'Hit@1',
};

/** Values of all measures, 0–1: of one query, or means over queries. */
export type Metrics = Readonly<Record<Metric, number>>;

/** Returns all measures of one query's ranking, best document first. If a document is repeated, only its first place counts. */
export function measure(ranking: readonly string[], judgements: Judgements): Metrics {
  return {
    ndcg5: ndcg(ranking, judgements, 5),
    ndcg10: ndcg(ranking, judgements, 10),
    mrr10: reciprocalRank(ranking, judgements, 10),
    recall10: recall(ranking, judgements, 10),
    hit1: hit(ranking, judgements, 1),
  };
}

/** Returns the mean of each measure over queries; 0 without queries. */
export function meanMetrics(perQuery: readonly Metrics[]): Metrics {
  return byMetric((metric) => mean(perQuery.map((metrics) => metrics[metric])));
}

export function byMetric<Value>(value: (metric: Metric) => Value): Readonly<Record<Metric, Value>> {
  return Object.fromEntries(METRICS.map((metric) => [metric, value(metric)])) as Record<Metric, Value>;
}

/** Whether a query has a relevant document. Queries without one are left out of every mean. */
export function hasRelevant(judgements: Judgements): boolean {
  return relevantCount(judgements) > 0;
}

/**
 * Normalised discounted cumulative gain of the first `k` documents: Σ grade / log₂(rank + 1), divided by the same sum for the
 * best possible order (Järvelin and Kekäläinen 2002). The gain is the grade itself, as in trec_eval's `ndcg_cut`.
 */
export function ndcg(ranking: readonly string[], judgements: Judgements, k: number): number {
  const gains = firstPlaces(ranking, k).map((id) => Math.max(0, judgements.get(id) ?? 0));
  const ideal = [...judgements.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  const best = discountedGain(ideal.slice(0, k));
  return best === 0 ? 0 : discountedGain(gains) / best;
}

/** Returns 1 / rank of the first relevant document among the first `k`; 0 if none is relevant. */
export function reciprocalRank(ranking: readonly string[], judgements: Judgements, k: number): number {
  const index = firstPlaces(ranking, k).findIndex((id) => isRelevant(id, judgements));
  return index < 0 ? 0 : 1 / (index + 1);
}

/** Returns the share of all relevant documents that are among the first `k`; 0 if no document is relevant. */
export function recall(ranking: readonly string[], judgements: Judgements, k: number): number {
  const found = firstPlaces(ranking, k).filter((id) => isRelevant(id, judgements)).length;
  const relevant = relevantCount(judgements);
  return relevant === 0 ? 0 : found / relevant;
}

/** Returns 1 if a relevant document is among the first `k`, else 0. */
export function hit(ranking: readonly string[], judgements: Judgements, k: number): number {
  return firstPlaces(ranking, k).some((id) => isRelevant(id, judgements)) ? 1 : 0;
}

/** Returns the share of the first `k` documents that have a grade of any value; 1 if nothing was found. */
export function judgedShare(ranking: readonly string[], judgements: Judgements, k: number): number {
  const found = firstPlaces(ranking, k);
  return found.length === 0 ? 1 : found.filter((id) => judgements.has(id)).length / found.length;
}

/** The first `k` different ids. */
function firstPlaces(ranking: readonly string[], k: number): string[] {
  return [...new Set(ranking)].slice(0, k);
}

function discountedGain(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

function isRelevant(id: string, judgements: Judgements): boolean {
  return (judgements.get(id) ?? 0) > 0;
}

function relevantCount(judgements: Judgements): number {
  return [...judgements.values()].filter((grade) => grade > 0).length;
}
