/** Shifts weight between lanes without changing how much there is in all. */
import type { LaneValues } from './fuse-convex.ts';

/**
 * Each weight times its factor, then all rescaled to the former sum.
 * @param factors by lane, 1 where absent; when nothing would be left, the weights stay as they are
 */
export function scaleWeights(weights: LaneValues, factors: LaneValues): LaneValues {
  const scaled = mapLanes(weights, (weight, lane) => weight * (factors[lane] ?? 1));
  const left = total(scaled);
  if (left === 0) return weights;
  const rescale = total(weights) / left;
  return mapLanes(scaled, (weight) => weight * rescale);
}

function mapLanes(values: LaneValues, change: (value: number, lane: keyof LaneValues) => number): LaneValues {
  const entries = Object.entries(values) as [keyof LaneValues, number][];
  return Object.fromEntries(entries.map(([lane, value]) => [lane, change(value, lane)]));
}

function total(values: LaneValues): number {
  return Object.values(values).reduce((sum, value) => sum + value, 0);
}
