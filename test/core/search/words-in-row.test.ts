/** A sentence is found as its words, whatever stands between them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsInRow } from '../../../src/core/search/put-exact-first.ts';

test.each([
  ['then you forget it', 'And\nthen you *forget* it.', true],
  ['Then, you FORGET it!', 'then you forget it', true],
  ['le café est fermé', 'Le cafe est ferme.', true],
  ['you forget', 'thank you forgetful', false],
  ['you forget', 'bayou forget', false],
  ['you forget', 'a bayou; you forget', true],
  ['you forget', 'you never forget', false],
  ['备份数据库', '如何备份数据库呢', true],
  ['备份数据', '备份的数据', false],
  ['…', '… …', false],
])('“%s” in “%s”: %s', (said, text, isIn) => {
  expect(wordsInRow(said)(text)).toBe(isIn);
});

test('finds what a comparison of all words finds', () => {
  const words = fc.array(fc.constantFrom('a', 'ab', 'b', 'é', '1'), { minLength: 1, maxLength: 12 });
  const sign = fc.constantFrom(' ', ', ', '\n', '**', ' `');
  fc.assert(
    fc.property(words, words, fc.infiniteStream(sign), (said, all, signs) => {
      const text = all.map((word) => word + signs.next().value).join('');
      const plain = (each: readonly string[]) => ` ${each.join(' ').replaceAll('é', 'e')} `;
      expect(wordsInRow(said.join(' '))(text)).toBe(plain(all).includes(plain(said)));
    }),
  );
});
