import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recencyFactor } from '../../../src/core/rank/recency.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 22);

function factorAt(days: number, bias: number): number {
  return recencyFactor(NOW - days * DAY, NOW, bias);
}

it.each([
  [7, 1.2, 1.4],
  [7.01, 1.1, 1.2],
  [30, 1.1, 1.2],
  [30.01, 1, 1],
])('%d days old: %d at bias 0.5, %d at bias 1, none at 0', (days, usual, full) => {
  expect(factorAt(days, 0.5)).toBeCloseTo(usual, 10);
  expect(factorAt(days, 1)).toBeCloseTo(full, 10);
  expect(factorAt(days, 0)).toBe(1);
});

describe('odd dates', () => {
  it('a day ahead is new: time zones and clocks differ', () =>
    expect(factorAt(-1, 0.5)).toBeCloseTo(1.2, 10));
  it('farther ahead is not news', () => expect(factorAt(-1.01, 0.5)).toBe(1));
  it('before 1970 is old', () => expect(recencyFactor(Date.UTC(1900, 0, 1), NOW, 1)).toBe(1));
  it('no date is no news', () => expect(recencyFactor(Number.NaN, NOW, 1)).toBe(1));
});

it('of two documents the newer never gets the smaller factor, and no factor lowers', () => {
  const days = fc.double({ min: 0, max: 1e5, noNaN: true });
  fc.assert(
    fc.property(days, days, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, bias) => {
      expect(factorAt(Math.min(a, b), bias)).toBeGreaterThanOrEqual(factorAt(Math.max(a, b), bias));
      expect(factorAt(a, bias)).toBeGreaterThanOrEqual(1);
      expect(factorAt(a, bias)).toBeLessThanOrEqual(1.4 + 1e-12);
    }),
  );
});
