/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): merges rankings by position, ignoring score scales. */
import type { Lane } from '../model/ranking-constants.ts';
import type { LaneValues } from './fuse-convex.ts';

/** Places of candidates by lane, best first; a lane without an order has none. */
export type RankedPlaces = Readonly<Partial<Record<Lane, { readonly ranked: readonly number[] }>>>;

/**
 * `Σ weight / (k + rank)` for every candidate, ranks counted from 1.
 * @param k rank offset; larger values flatten the top
 * @param weights by lane; an absent lane or 0 silences a ranking
 */
export function fuseReciprocal(
  lanes: RankedPlaces,
  weights: LaneValues,
  k: number,
  candidates: number,
): Float64Array {
  const fused = new Float64Array(candidates);
  for (const [lane, { ranked }] of Object.entries(lanes)) {
    const weight = weights[lane as Lane] ?? 0;
    for (const [index, place] of ranked.entries()) fused[place]! += weight / (k + index + 1);
  }
  return fused;
}
