import { expect, test } from 'vitest';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../../src/engine/config/settings.ts';

test.each([
  [{}, 'evidence'],
  [{ score_calibration_threshold: 0.4 }, 'sigmoid'],
  [{ score_calibration_steepness: 5 }, 'sigmoid'],
  [{ score_calibration_threshold: 0.4, calibration: 'evidence' }, 'evidence'],
  [{ calibration: 'sigmoid' }, 'sigmoid'],
])('with %j confidence is found by %s', (search, expected) => {
  expect(toSearchSettings(settingsSchema.parse({ search })).calibration).toBe(expected);
});
