import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stem } from '../../../src/core/text/stem.ts';

/** Words with the stems Snowball 3.0.1 gives them. */
const STEMS = readFileSync(new URL('stems.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [string, string]);

test('agrees with Snowball word for word', () => {
  const wrong = STEMS.filter(([word, expected]) => stem(word) !== expected).map(
    ([word, expected]) => `${word}: ${stem(word)}, not ${expected}`,
  );
  expect(wrong).toEqual([]);
});

test('gives forms of one word one stem', () => {
  for (const word of ['connect', 'connected', 'connecting', 'connection', 'connections']) {
    expect(stem(word)).toBe('connect');
  }
});

test('keeps words of different meaning apart where Snowball 2 did not', () => {
  expect(stem('organization')).not.toBe(stem('organism'));
  expect(stem('university')).not.toBe(stem('universe'));
});

test('never lengthens or empties a word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
      expect(stem(word)).toMatch(/^[a-z]+$/);
      expect(stem(word).length).toBeLessThanOrEqual(word.length);
    }),
    { numRuns: 2000 },
  );
});
