/** The table of lanes: modes, weights, scales and explanations are read off it. A new lane is a file, a row here, and its numbers in `RANKING`. */
import { LANES, type Lane } from '../model/ranking-constants.ts';
import { code } from './code.ts';
import { coverage } from './coverage.ts';
import { document } from './document.ts';
import { graph } from './graph.ts';
import { heading } from './heading.ts';
import { keyword } from './keyword.ts';
import type { LaneRow } from './lane.ts';
import { name } from './name.ts';
import { nearness } from './nearness.ts';
import { semantic } from './semantic.ts';
import { subject } from './subject.ts';
import { title } from './title.ts';

export const LANE_TABLE: Readonly<Record<Lane, LaneRow>> = {
  semantic,
  subject,
  keyword,
  coverage,
  document,
  title,
  name,
  heading,
  nearness,
  code,
  graph,
};

/** Values of lanes, given also to the lanes that follow them. */
export function withFollowers(values: Readonly<Partial<Record<Lane, number>>>): typeof values {
  const shared = LANES.map((lane) => [lane, values[LANE_TABLE[lane].follows ?? lane]] as const);
  return Object.fromEntries(shared.filter(([, value]) => value !== undefined));
}
