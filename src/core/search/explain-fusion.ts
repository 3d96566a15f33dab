/** The explanation of a fused score: every number a person needs to redo the sum by hand. */
import { LANE_TABLE } from '../lanes/lane-table.ts';
import type { Explanation, NameShare, Ranking } from '../model/hit.ts';
import type { CosineScale } from '../model/ranking-constants.ts';
import type { LaneValues } from '../rank/fuse-convex.ts';
import type { LaneColumns } from '../rank/lane-scale.ts';

/** What was summed. */
export interface Summands {
  readonly lanes: LaneColumns;
  readonly rankings: readonly Ranking[];
  readonly cosine: CosineScale;
}

/**
 * A weighted sum over lanes: `value = Σ weight · part.value`, weights summing to 1.
 * @param scale which of a lane's two numbers was summed
 */
export function explainSum(
  label: string,
  value: number,
  { slot, place }: { readonly slot: number; readonly place: number },
  scale: 'relative' | 'absolute',
  weights: LaneValues,
  { lanes, rankings, cosine }: Summands,
): Explanation {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const parts = rankings.flatMap((ranking): Explanation[] => {
    const weight = weights[ranking.lane];
    const column = lanes[ranking.lane];
    if (!weight || !column) return [];
    return [
      {
        label: ranking.lane,
        value: column[scale][place]!,
        weight: weight / total,
        parts: scaleParts(ranking, slot, column.raw[place]!, scale, cosine),
      },
    ];
  });
  return { label, value, parts };
}

/** Reciprocal ranks: `value = Σ weight · 1 / (k + rank)`. */
export function explainRanks(
  value: number,
  slot: number,
  weights: LaneValues,
  rankings: readonly Ranking[],
  k: number,
): Explanation {
  const parts = rankings.flatMap(({ lane, entries }): Explanation[] => {
    const rank = entries.findIndex((entry) => entry.slot === slot) + 1;
    if (rank === 0) return [];
    const numbers = [
      { label: 'k', value: k },
      { label: 'rank', value: rank },
    ];
    return [{ label: lane, value: 1 / (k + rank), weight: weights[lane] ?? 0, parts: numbers }];
  });
  return { label: 'fused', value, parts };
}

/** Evidence from reciprocal ranks: votes that no factor has moved, `value = votes · full / total`. */
export function explainVotes(
  value: number,
  slot: number,
  weights: LaneValues,
  rankings: readonly Ranking[],
  k: number,
): Explanation {
  const ranks = explainRanks(0, slot, weights, rankings, k).parts ?? [];
  const votes = ranks.reduce((sum, part) => sum + part.value * (part.weight ?? 0), 0);
  const parts = [
    { label: 'votes', value: votes, parts: ranks },
    { label: 'to two full rankings', value: votes > 0 ? value / votes : 0 },
  ];
  return { label: 'evidence', value, parts };
}

/** What a lane's number between 0 and 1 was made of. */
function scaleParts(
  ranking: Ranking,
  slot: number,
  raw: number,
  scale: 'relative' | 'absolute',
  cosine: CosineScale,
): readonly Explanation[] {
  const score = ranking.explain?.(slot) ?? {
    label: ranking.lane === 'semantic' ? 'cosine' : 'BM25',
    value: raw,
  };
  const share = raw > 0 ? ranking.shareOf?.(slot) : undefined;
  const found = share ? ([score, explainShare(share)] as const) : ([score] as const);
  return LANE_TABLE[ranking.lane].scale.explain(found, scale, ranking, cosine);
}

function explainShare({ value, matched, total }: NameShare): Explanation {
  const parts = [
    { label: 'idf of the words asked for', value: matched },
    { label: 'idf of all its words', value: total },
  ];
  return { label: 'share of the name', value, parts };
}
