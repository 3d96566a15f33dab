/** What a text in the field of filters means. */
import { expect, test } from 'vitest';
import { meant } from '../../../src/surfaces/web/suggestions.ts';

const ALL = ['after:7d', 'tag:Recipe', 'tag:recipe/soup', 'path:docs/', 'path:docs/dev/', 'author:Ann Docs'];

test.each([
  ['recipe', 'tag:Recipe'],
  ['#recipe', 'tag:Recipe'],
  ['docs/dev', 'path:docs/dev/'],
  ['docs', 'path:docs/'],
  ['soup', 'tag:recipe/soup'],
  ['#docs', undefined],
  ['do', undefined],
])('%s', (typed, expected) => {
  expect(meant(ALL, typed)).toBe(expected);
});
