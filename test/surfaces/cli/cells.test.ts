import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { cellsOf, charactersOf } from '../../../src/surfaces/cli/text-width.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const segments = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

test('every character fills as many cells as the tables of Unicode say, alone and beside a letter', () => {
  const wrong: string[] = [];
  // What is taken for simple lies far below.
  for (let code = 0; code < 0x2100; code++) {
    const character = String.fromCharCode(code);
    for (const text of [character, `a${character}`, `${character}b`]) {
      const same = cellsOf(text) === stringWidth(text) && charactersOf(text).length === segments(text).length;
      if (!same) wrong.push(code.toString(16));
    }
  }
  expect(wrong).toEqual([]);
});

test('any text is cut where readers would, and fills as many cells', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.lorem());
  fc.assert(
    fc.property(text, (given) => {
      expect(cellsOf(given)).toBe(stringWidth(given));
      expect(charactersOf(given)).toEqual(segments(given));
    }),
  );
});

test('no other file loads the tables, which commands with simple text start without', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('/text-width.ts'));
  const loads = files.filter((file) => /from 'string-width'/.test(readFileSync(file, 'utf8')));
  expect([files.length > 100, loads]).toEqual([true, []]);
});
