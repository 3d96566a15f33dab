/** The table of lanes is complete: whatever reads a lane off it finds something there. */
import { expect, test } from 'vitest';
import { LANE_TABLE, withFollowers } from '../../../src/core/lanes/lane-table.ts';
import { LANES, RANKING } from '../../../src/core/model/ranking-constants.ts';
import { weighLanes } from '../../../src/core/search/weigh-lanes.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../../src/engine/config/settings.ts';
import { checkExplanation } from '../../support/check-explanation.ts';

const SETTINGS = toSearchSettings(settingsSchema.parse({}));

test.each(LANES)('%s has a mode, settings that switch it off, a weight and a scale', (lane) => {
  const { modes, settings, scale, follows } = LANE_TABLE[lane];
  expect(RANKING.lanes[lane]).toBeGreaterThan(0);
  for (const mode of modes) expect(weighLanes(mode, SETTINGS, {}, RANKING).fusion[lane]).toBeGreaterThan(0);
  for (const name of settings) {
    expect(weighLanes(modes[0]!, { ...SETTINGS, [name]: 0 }, {}, RANKING).fusion[lane]).toBeUndefined();
  }
  expect(weighLanes(modes[0]!, SETTINGS, { [lane]: false }, RANKING).fusion[lane]).toBeUndefined();
  expect(modes.length * settings.length).toBeGreaterThan(0);
  if (follows) expect(LANE_TABLE[follows].follows).toBeUndefined();
  const scores = Float64Array.of(0.5, 0.8);
  const said = { best: 0.8, median: 0.3, bound: 2, scores };
  const column = scale.apply(said, RANKING.cosine);
  for (const which of ['relative', 'absolute'] as const) {
    const parts = scale.explain([{ label: 'BM25', value: 0.5 }], which, said, RANKING.cosine);
    // A person can redo the sum by hand.
    if (column[which][0]! > 0)
      expect(checkExplanation({ label: lane, value: column[which][0]!, parts }, {}, lane)).toEqual([]);
  }
});

test('a lane moves with the one it follows, and by itself where it follows none', () => {
  expect(withFollowers({ keyword: 0.5, graph: 2 })).toMatchObject({
    ...{ keyword: 0.5, coverage: 0.5, document: 0.5, title: 0.5 },
    graph: 2,
  });
});
