/** Candidates as tests of stages give and read them. */
import { LANE_TABLE } from '../../src/core/lanes/lane-table.ts';
import {
  type Candidates,
  type Found,
  type LaneFound,
  NOTHING_FOUND,
} from '../../src/core/model/candidates.ts';
import { LANES, type Lane } from '../../src/core/model/ranking-constants.ts';
import type { Retrieval } from '../../src/core/retrieval/retrieval.ts';
import type { SearchServices } from '../../src/core/search/state.ts';

/** One lane of candidates by place: those with a score above 0 in their order, as it found them. */
export function laneFound(scores: readonly number[], more: Partial<LaneFound> = {}): LaneFound {
  const best = Math.max(0, ...scores);
  return { scores: Float64Array.from(scores), ranked: [...scores.keys()], best, ...more };
}

export function foundOf(lanes: Candidates['lanes'], more: Partial<Found> = {}): Found {
  return { ...NOTHING_FOUND, lanes, ...more };
}

/** The lanes that have an order of their own, with slots and scores. */
export function rankingsOf({ slots, lanes }: Candidates): readonly {
  readonly lane: Lane;
  readonly entries: readonly { readonly slot: number; readonly score: number }[];
}[] {
  return LANES.flatMap((lane) => {
    const found = lanes[lane];
    if (!found || LANE_TABLE[lane].follows) return [];
    return [
      { lane, entries: found.ranked.map((place) => ({ slot: slots[place]!, score: found.scores[place]! })) },
    ];
  });
}

/** Services of a stage that asks this much of the index and nothing else. */
export function askedOf(retrieval: Partial<Retrieval>): SearchServices {
  return { retrieval } as SearchServices;
}
