/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): merges rankings by position, ignoring score scales. */
import type { Ranking } from '../model/hit.ts';
import type { LaneValues } from './fuse-convex.ts';

/**
 * `Σ weight / (k + rank)` for every slot in at least one ranking, ranks counted from 1.
 * @param k rank offset; larger values flatten the top
 * @param weights by lane; an absent lane or 0 silences a ranking
 */
export function fuseReciprocal(
  rankings: readonly Ranking[],
  weights: LaneValues,
  k: number,
): Map<number, number> {
  const fused = new Map<number, number>();
  for (const ranking of rankings) {
    const weight = weights[ranking.lane] ?? 0;
    if (weight === 0) continue;
    ranking.entries.forEach(({ slot }, index) => {
      fused.set(slot, (fused.get(slot) ?? 0) + weight / (k + index + 1));
    });
  }
  return fused;
}
