import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../src/core/text/fold.ts';

test.each([
  ['CAFÉ', 'cafe'],
  ['cafe\u0301', 'cafe'],
  ['ｆｕｌｌ　Ｗｉｄｔｈ', 'full width'],
  ['ﬁne', 'fine'],
  ['Straße', 'strasse'],
  ['Łódź', 'lodz'],
  ['Ærø', 'aero'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['Ёж', 'еж'],
  ['co\u00adoperate', 'cooperate'],
  ['x²', 'x2'],
  ['ｶﾞ', 'ガ'],
])('%s folds to %s', (text, expected) => {
  expect(fold(text)).toBe(expected);
});

test('keeps marks that make another letter', () => {
  for (const word of ['が', 'हिंदी', 'ที่', '한글']) expect(fold(word)).toBe(word.normalize('NFKC'));
});

test('is idempotent on any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
    { numRuns: 500 },
  );
});

test('is idempotent on every character of the basic plane', () => {
  const unstable = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(
    (character) => fold(fold(character)) !== fold(character),
  );
  expect(unstable).toEqual([]);
});
