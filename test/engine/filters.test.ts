import { expect, test } from 'vitest';
import { applyFilters } from '../../src/engine/filters.ts';

const NOW = Date.UTC(2026, 10, 22);

test('lists pass as they are, empty and absent ones are left out', () => {
  expect(applyFilters({ tag: ['a', 'b'], path: [], author: [] }, NOW)).toEqual({ tag: ['a', 'b'] });
  expect(applyFilters({}, NOW)).toEqual({});
});

test('an ISO date is midnight UTC, a year or month its first day', () => {
  expect(applyFilters({ after: '2026-01-31' }, NOW)).toEqual({ after: Date.UTC(2026, 0, 31) });
  expect(applyFilters({ before: '2026-02' }, NOW)).toEqual({ before: Date.UTC(2026, 1, 1) });
  expect(applyFilters({ before: '2026' }, NOW)).toEqual({ before: Date.UTC(2026, 0, 1) });
});

test('a time without a zone is UTC wherever the program runs', () => {
  const zone = process.env.TZ;
  process.env.TZ = 'America/New_York';
  expect(applyFilters({ after: '2026-01-31T10:00' }, NOW)).toEqual({ after: Date.UTC(2026, 0, 31, 10) });
  expect(applyFilters({ after: '2026-01-31T10:00+02:00' }, NOW)).toEqual({ after: Date.UTC(2026, 0, 31, 8) });
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test('7d and 3w count back from now', () => {
  expect(applyFilters({ after: '7d' }, NOW)).toEqual({ after: Date.UTC(2026, 10, 15) });
  expect(applyFilters({ before: '3w' }, NOW)).toEqual({ before: Date.UTC(2026, 10, 1) });
});

test.each(['yesterday', '7', '2026-13-40', '2026-02-30', '2026-01-31T25:00', '7m', ''])(
  '%j is no date, and the message says which',
  (text) => {
    expect(() => applyFilters({ after: text }, NOW)).toThrow(`“${text}” is not a date`);
  },
);

test('front matter values become pairs', () => {
  expect(applyFilters({ where: { status: ['draft', 'new'], kind: 'note' } }, NOW)).toEqual({
    where: [
      { key: 'status', value: 'draft' },
      { key: 'status', value: 'new' },
      { key: 'kind', value: 'note' },
    ],
  });
});
