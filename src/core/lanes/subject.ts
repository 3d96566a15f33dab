/** Lane: likeness of what the whole document is about: the mean cosine of its two best passages. */
import { COSINE_SCALE } from '../rank/lane-scale.ts';
import type { LaneRow } from './lane.ts';

export const subject: LaneRow = {
  modes: ['hybrid', 'semantic'],
  settings: ['semanticWeight', 'subjectWeight'],
  follows: 'semantic',
  scale: COSINE_SCALE,
  async search({ indexes: { catalog }, rankings }) {
    const semantic = await rankings.semantic;
    const cosineOf = semantic?.approximateScoreOf;
    if (!cosineOf) return undefined;
    const known = new Map<number, number>();
    const scoreOf = (slot: number) => {
      const document = catalog.documentOf(slot)?.number ?? -1;
      const score = known.get(document) ?? meanOfTwoBest(catalog.slotsOf(document), cosineOf);
      known.set(document, score);
      return score;
    };
    const explain = (slot: number) => ({
      label: 'mean cosine of the two best passages',
      value: scoreOf(slot),
    });
    const { best, median = 0 } = semantic;
    return { lane: 'subject', entries: [], best, median, scoreOf, explain };
  },
};

/** A document of one passage counts as that passage. */
function meanOfTwoBest(slots: readonly number[], cosineOf: (slot: number) => number): number {
  let best = 0;
  let second = 0;
  for (const slot of slots) {
    const cosine = cosineOf(slot);
    if (cosine > best) {
      second = best;
      best = cosine;
    } else if (cosine > second) second = cosine;
  }
  return slots.length > 1 ? (best + second) / 2 : best;
}
