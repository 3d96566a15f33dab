import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { freePath } from '../../bench/record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('figures of one day never replace others, and the newest is the last by name', () => {
  const folder = temporaryFolder();
  const first = freePath(folder, 'limits', '2026-11-22T08:00:00.000Z');
  expect(basename(first)).toBe('limits-2026-11-22.json');
  writeFileSync(first, '{}');
  const second = freePath(folder, 'limits', '2026-11-22T15:46:31.597Z');
  expect(basename(second)).toBe('limits-2026-11-22T154631.json');
  expect([second, first].toSorted()).toEqual([first, second]);
});
