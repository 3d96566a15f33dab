/** The table of lanes: modes, weights, scales and explanations are read off it. A new lane is a file, a row here, and its numbers in `RANKING`. */
import { LANES, type Lane } from '../model/ranking-constants.ts';
import { code } from './code.ts';
import { coverage } from './coverage.ts';
import { document } from './document.ts';
import { graph } from './graph.ts';
import { keyword } from './keyword.ts';
import type { LaneRow } from './lane.ts';
import { semantic } from './semantic.ts';
import { title } from './title.ts';

export const LANE_TABLE: Readonly<Record<Lane, LaneRow>> = {
  semantic,
  keyword,
  coverage,
  document,
  title,
  code,
  graph,
};

/** Values of lanes, given also to the lanes that follow them. */
export function withFollowers(values: Readonly<Partial<Record<Lane, number>>>): typeof values {
  const shared = LANES.map((lane) => [lane, values[LANE_TABLE[lane].follows ?? lane]] as const);
  return Object.fromEntries(shared.filter(([, value]) => value !== undefined));
}
