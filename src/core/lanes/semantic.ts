/** Lane: likeness of meaning, the cosine of passage and query. */
import { COSINE_SCALE } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const semantic: LaneRow = {
  modes: ['hybrid', 'semantic'],
  settings: ['semanticWeight'],
  scale: COSINE_SCALE,
  async search({ indexes, request: { query, vector, depth }, mask }) {
    const made = await vector;
    if (made === undefined) return undefined;
    const ranking = await indexes.semantic?.search({ parsed: query, vector: made }, depth, mask);
    // While no passage has a vector, the lane is absent: scores of 0 would count against every passage.
    return ranking?.entries.length ? ranking : undefined;
  },
};
