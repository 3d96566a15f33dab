import { describe, expect, it } from 'vitest';
import {
  type CalibrationRecord,
  fillPage,
  modelSource,
  pageParts,
  roundModel,
} from '../../bench/calibration-page.ts';
import { COEFFICIENTS } from '../../src/core/rank/confidence-coefficients.ts';
import { projectPaths, readProjectFile } from '../repo/project-files.ts';

const latest = projectPaths().findLast((path) => path.startsWith('bench/results/fit-calibration-'))!;
const record: CalibrationRecord = JSON.parse(readProjectFile(latest));

describe('the latest fit of confidence', () => {
  it('is the one in force', () => {
    const rows = Object.entries(record.rows).map(([name, row]) => [name, roundModel(row)]);
    expect(COEFFICIENTS).toEqual(Object.fromEntries(rows));
    expect(readProjectFile('src/core/rank/confidence-coefficients.ts')).toBe(modelSource(record));
  });

  it.each(Object.entries(pageParts(record)))('is the one that %s states', (path, parts) => {
    const page = readProjectFile(path);
    expect(fillPage(page, parts)).toBe(page);
  });

  it('reached what was asked of it, hybrid, on whole sets that were left out', () => {
    const whole = record.rows.both.perSet.filter(({ group }) => group === 'whole');
    const mean = (of: (one: (typeof whole)[number]) => number) =>
      whole.reduce((sum, one) => sum + of(one), 0) / whole.length;
    expect(whole).toHaveLength(7);
    expect(mean(({ evidence }) => evidence.foreignArea!)).toBeGreaterThanOrEqual(0.98);
    expect(mean(({ evidence }) => evidence.relevantArea!)).toBeGreaterThanOrEqual(0.9);
    expect(mean(({ evidence }) => evidence.kept)).toBeGreaterThanOrEqual(0.95);
    expect(mean(({ evidence }) => evidence.refused!)).toBeGreaterThanOrEqual(0.85);
    expect(mean(({ evidence }) => evidence.error)).toBeLessThanOrEqual(0.1);
    // As precise as it was asked for: .20.
    expect(Math.max(...whole.map(({ evidence }) => evidence.error))).toBeLessThan(0.205);
    expect(mean(({ evidence, sigmoid }) => evidence.removedArea! - sigmoid.removedArea!)).toBeGreaterThan(0);
  });
});

it('a page without the place for a part is refused', () => {
  expect(() => fillPage('# Scores\n', { model: '| row |' })).toThrow('The page has no part model.');
});
