import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from '../../src/engine/nearest.ts';

test.each([
  ['fusoin', ['fusion', 'mode'], ['fusion']],
  ['fod', ['food', 'mood', 'a'], ['food']],
  ['A', ['a', 'b'], ['a']],
  ['a', ['b', 'ab', 'max'], []],
  ['xy', ['md', 'abyz'], []],
  ['ls', ['list', 'pull'], ['list']],
  ['', ['a', 'ab'], []],
])('%j among %j is perhaps %j', (wrong, names, expected) => {
  expect(nearest(wrong, names)).toEqual(expected);
});

test('what is suggested has a letter of what was typed', () => {
  const name = fc.string({ minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(name, fc.array(name), (wrong, names) => {
      for (const each of nearest(wrong, names, 9)) {
        const letters = [...wrong.toLowerCase()];
        expect(letters.some((letter) => each.toLowerCase().includes(letter))).toBe(true);
      }
    }),
  );
});
