import { expect, test } from 'vitest';
import { analyze } from '../../../src/core/text/analyze.ts';
import { plainWords, withoutNumber } from '../../../src/core/text/plain-words.ts';

test('words are given in order, compounds in parts', () => {
  const words = plainWords('Read-a-file in Node.js 2', analyze);
  expect(words.map(({ term, position }) => `${term}@${position}`)).toEqual([
    ...['read@0', 'file@2', 'in@3', 'node@4', 'js@5', '2@6'],
  ]);
});

test.each([
  ['2. The model', 'The model'],
  ['## 2. The model', 'The model'],
  ['1-setup', 'setup'],
  ['3) 简介一', '简介一'],
  ['Phase 2', 'Phase 2'],
  ['2D graphics', '2D graphics'],
  ['12. Twelve', '12. Twelve'],
  ['7', '7'],
  ['2.1 Parts', '2.1 Parts'],
])('the digit that numbers a heading is left out: %s', (name, expected) => {
  expect(withoutNumber(name)).toBe(expected);
});
