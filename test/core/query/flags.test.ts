import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/core/query/parse.ts';

const excluded = (text: string) => parseQuery(text).excludedTerms.map(({ term }) => term);

test.each([
  'npm install -g',
  'git commit -m',
  'git log --oneline',
  'tar -xzf archive',
  'rm -rf folder',
  'gcc -std=c11',
  'at -40 degrees',
  '-permissive compiler options',
  '-Wall flag',
  'foo - bar',
  '-',
  '--',
  'a->b',
])('%s is no exclusion', (text) => {
  const query = parseQuery(text);
  expect(query.excludedTerms).toEqual([]);
  expect(query.excludedPhrases).toEqual([]);
  expect(query.plain).toBe(/[a-z]/.test(text) ? text : '');
});

test('a minus after the words excludes, also in a question about options', () => {
  expect(excluded('compiler options -permissive')).toEqual(['permiss']);
  expect(excluded('-permissive optional')).toEqual(['permiss']);
});
