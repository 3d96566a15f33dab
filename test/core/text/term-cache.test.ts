import fc from 'fast-check';
import { expect, it } from 'vitest';
import { analyze } from '../../../src/core/text/analyze.ts';
import { createTermCache } from '../../../src/core/text/tokenizer.ts';

const upper = (text: string, start: number, end: number) => text.slice(start, end).toUpperCase();

it('answers what making the term would, however often words meet in one place', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '字', '\u{1f600}'), maxLength: 16 });
  const cached = createTermCache(upper);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 200 }), (words) => {
      const text = words.join(' ');
      let start = 0;
      for (const each of words) {
        expect(cached(text, start, start + each.length)).toBe(each.toUpperCase());
        start += each.length + 1;
      }
    }),
  );
});

it('makes the term of a word that comes again once', () => {
  let made = 0;
  const cached = createTermCache((...place) => {
    made++;
    return upper(...place);
  });
  expect([cached('one two one', 0, 3), cached('one two one', 8, 11)]).toEqual(['ONE', 'ONE']);
  expect(made).toBe(1);
});

it('keeps apart words that share a place', () => {
  // More words than places: every place is taken by several.
  const words = Array.from({ length: 30_000 }, (_, number) => `w${number}`);
  const text = [...words, ...words].join(' ');
  const terms: string[] = [];
  analyze(text, (term) => terms.push(term));
  expect(terms).toEqual([...words, ...words]);
});
