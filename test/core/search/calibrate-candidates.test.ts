import { expect, test } from 'vitest';
import { calibrationOf } from '../../../src/core/search/calibrate-candidates.ts';
import { DEFAULT_SEARCH_SETTINGS } from '../../../src/core/search/default-settings.ts';

test.each([
  [{}, 'evidence'],
  [{ scoreCalibrationThreshold: 0.4 }, 'sigmoid'],
  [{ scoreCalibrationSteepness: 5 }, 'sigmoid'],
  [{ scoreCalibrationThreshold: 0.4, calibration: 'evidence' as const }, 'evidence'],
  [{ calibration: 'sigmoid' as const }, 'sigmoid'],
])('with %j confidence is found by %s', (set, expected) => {
  expect(calibrationOf({ ...DEFAULT_SEARCH_SETTINGS, ...set })).toBe(expected);
});
