import { expect, it } from 'vitest';
import { randomNumbers } from '../../../src/core/evaluate/statistics.ts';
import { RANKING } from '../../../src/core/model/ranking-constants.ts';
import type { TuningQuery } from '../../../src/core/tune/rescore.ts';
import { tune } from '../../../src/core/tune/tune.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../../src/engine/config/settings.ts';

const SETTINGS = toSearchSettings(settingsSchema.parse({}));
const DOCUMENTS = Array.from({ length: 20 }, (_, place) => `d${place}`);

/** Twenty documents with chance scores; the relevant one has `title` in the title lane, all others 0. */
function queries(count: number, title: number, seed: number): readonly TuningQuery[] {
  const random = randomNumbers(seed);
  const column = (values: Float64Array) => ({ relative: values, absolute: values });
  const chance = () => column(Float64Array.from(DOCUMENTS, () => random()));
  return Array.from({ length: count }, () => {
    const relevant = Math.floor(random() * DOCUMENTS.length);
    const titles = new Float64Array(DOCUMENTS.length);
    titles[relevant] = title;
    return {
      features: {
        documents: DOCUMENTS,
        documentOf: Int32Array.from(DOCUMENTS.keys()),
        foundBy: new Uint16Array(DOCUMENTS.length).fill(3),
        lanes: { semantic: chance(), keyword: chance(), document: chance(), title: column(titles) },
        factors: {},
        constants: RANKING,
        available: { semantic: true, code: false },
        linked: false,
      },
      judgements: new Map([[DOCUMENTS[relevant]!, 1]]),
    };
  });
}

it('finds the lane that tells the answer, and claims it', async () => {
  const fits: number[] = [];
  const sets = [queries(20, 1, 1), queries(15, 1, 2)].map((set) => ({ queries: set, unanswerable: [] }));
  const onFit = async (done: number, total: number) => {
    fits.push(done / total);
  };
  const { fusion, tried } = await tune(sets, SETTINGS, { folds: 5, seed: 1, onFit });
  expect(fusion.supported).toBe(true);
  expect(fusion.after.titleWeight).toBeGreaterThan(fusion.before.titleWeight);
  // Nothing in these queries depends on links or code.
  expect(fusion.after).toMatchObject({ graphWeight: SETTINGS.graphWeight, codeSearchWeight: 1 });
  expect(fusion.heldOut).toMatchObject({ queries: 35 });
  expect(fusion.heldOut.after).toBeGreaterThan(fusion.heldOut.before + 0.2);
  expect(fusion.bySet.map((set) => set.queries)).toEqual([20, 15]);
  expect(fusion.leftOut?.every(({ difference }) => difference > 0)).toBe(true);
  // Five folds, all, and without each of two sets.
  expect(fits).toHaveLength(8);
  expect(fits.at(-1)).toBe(1);
  expect(tried).toBeGreaterThan(100);
});

it('claims nothing where no lane tells anything, and answers alike every time', async () => {
  const sets = [{ queries: queries(25, 0, 3), unanswerable: [] }];
  const tuned = await tune(sets, SETTINGS, { folds: 5, seed: 1 });
  expect(tuned.fusion.supported).toBe(false);
  expect(tuned.fusion.leftOut).toBeUndefined();
  expect(await tune(sets, SETTINGS, { folds: 5, seed: 1 })).toEqual(tuned);
  expect((await tune(sets, SETTINGS, { folds: 5, seed: 2 })).fusion.heldOut).not.toEqual(
    tuned.fusion.heldOut,
  );
});

it('fits the curve to what the best hit has to show, queries without an answer included', async () => {
  // Sure and right with the title, unsure and wrong without: a curve follows, and it is better than the one set.
  const sets = [{ queries: queries(40, 1, 4), unanswerable: queries(40, 0, 5).map(withoutAnswer) }];
  const settings = { ...SETTINGS, titleWeight: 8, scoreCalibrationThreshold: 0.05 };
  const { calibration } = await tune(sets, settings, { folds: 4, seed: 1 });
  expect(calibration).toMatchObject({ over: 'sigmoid', before: { threshold: 0.05 } });
  expect(calibration.heldOut.queries).toBe(80);
  expect(calibration.supported).toBe(true);
  expect(calibration.heldOut.after).toBeLessThan(calibration.heldOut.before);
  expect(calibration.errors.after).toBeLessThan(calibration.errors.before);
  expect(calibration.after?.threshold).toBeGreaterThan(0.2);
});

it('fits the curve over logits where confidence is read off those', async () => {
  const features = queries(40, 1, 4).map(({ features: each, judgements }) => ({
    features: { ...each, logits: each.lanes.title!.relative.map((title) => 6 * title - 4) },
    judgements,
  }));
  const unanswerable = queries(20, 0, 5).map(({ features: each }) => ({
    features: { ...each, logits: each.lanes.title!.relative.map(() => -2) },
    judgements: new Map(),
  }));
  const settings = { ...SETTINGS, titleWeight: 8, evidenceThreshold: 3 };
  const { calibration } = await tune([{ queries: features, unanswerable }], settings, { folds: 4, seed: 1 });
  expect(calibration).toMatchObject({ over: 'evidence', before: { threshold: 3, steepness: 1 } });
  // Less is better: the right ones gain, the others lose a little.
  expect(calibration.heldOut).toMatchObject({ queries: 60, better: 40, worse: 20 });
  expect(calibration.supported).toBe(true);
  // The best hits have logit 2 and are right, the others −2.
  expect(calibration.after!.threshold).toBeGreaterThan(-1);
  expect(calibration.after!.threshold).toBeLessThan(1);
});

function withoutAnswer({ features }: TuningQuery): TuningQuery {
  return { features, judgements: new Map() };
}
