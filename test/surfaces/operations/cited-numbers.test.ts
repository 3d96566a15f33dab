import { expect, test } from 'vitest';
import { citedNumbers, splitCitations } from '../../../src/surfaces/operations/citations.ts';

test.each([
  ['Press Rotate [1]. Then wait [3][2].', [1, 3, 2]],
  ['Rotate [1, 2] then [3-4] or arr[0].', [1, 2, 3, 4]],
  ['See [1; 4–5, 2].', [1, 4, 5, 2]],
  ['Run `arr [0]` or ``a ` [5]`` [2].', [2]],
  ['Run\n```js\n[7]\n```\nthen [3].', [3]],
  ['Run\n```js\n[7]', []],
  ['A strange one: [2-900].', [2, 3, 4, 5, 900]],
  ['Backwards [4-2], a year [2024], a link [1](x).', [4, 2, 1]],
  ['更新する[1]', [1]],
])('%j cites %j', (answer, expected) => {
  expect(citedNumbers(answer, 5)).toEqual(expected);
});

test.each([
  ['See [1, 2] and [3-5].', ['See [', 1, ', ', 2, '] and [', 3, '-', 5, '].']],
  ['[7]', ['[', 7, ']']],
  ['Take arr[0] of [a] in [2024].', ['Take arr[0] of [a] in [2024].']],
  ['', []],
])('%j is split into %j', (text, parts) => {
  expect(splitCitations(text)).toEqual(parts);
});
