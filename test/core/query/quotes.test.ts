import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/core/query/parse.ts';

test('quotes inside a long question name something and demand nothing', () => {
  const long =
    'what did people write about systems such as "time sharing" when computers were large and costly';
  expect(parseQuery(long).phrases).toEqual([]);
  expect(parseQuery(long).terms.map(({ term }) => term)).toContain('share');
  expect(parseQuery('"time sharing" systems').phrases).toHaveLength(1);
});
