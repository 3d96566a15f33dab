import { expect, test } from 'vitest';
import { hasOtherScript, isInOtherScript, looksEnglish } from '../../../src/core/text/language-signs.ts';

test.each([
  ['what is π used for', false],
  ['résumé in Ünïcode', false],
  ['как включить', true],
  ['FastAPI とは', true],
  ['generate_unique_id_function 作用', true],
  ['', false],
])('a question with a word of another script: %s', (text, expected) => {
  expect(hasOtherScript(text)).toBe(expected);
});

test('a quarter of the letters decides for a document', () => {
  expect(isInOtherScript('The word for bread is хлеб, as every traveller knows.')).toBe(false);
  expect(isInOtherScript('Хлеб is bread.')).toBe(true);
});

test.each([
  ['The dough is kneaded for ten minutes and then it rests.', true],
  ['Der Teig wird zehn Minuten geknetet und ruht danach eine Stunde.', false],
  ['La masa se amasa durante diez minutos y luego reposa una hora.', false],
  ['Тесто месят десять минут.', false],
  ['TODO', true],
])('looks English by its frequent words: %s', (text, expected) => {
  expect(looksEnglish(text)).toBe(expected);
});
