import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyze } from '../../../src/core/text/analyze.ts';
import { sentenceBoundaries, stretches } from '../../../src/core/text/boundaries.ts';
import { withoutLinkDefinitions } from '../../../src/core/text/link-definitions.ts';

function termsOf(texts: Iterable<string>): readonly string[] {
  const terms: string[] = [];
  let positions = 0;
  for (const text of texts) {
    const offset = positions;
    positions += analyze(withoutLinkDefinitions(text), (term, position) => {
      terms.push(`${term}@${offset + position}`);
    });
  }
  return [...terms, String(positions)];
}

test('give back the text, and hold the words of the whole', () => {
  const pieces = fc.constantFrom(
    ...[' ', ' ', '\n', '.NET', 'C++', '20', 'well-known', 'std::', 'string_view', "user's"],
  );
  const text = fc
    .array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 40 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, length) => {
      const parts = [...stretches(whole, length)];
      expect(parts.join('')).toBe(whole);
      // A definition stands on a line of its own, and is shorter than any stretch that is really made.
      if (!whole.includes(']:')) expect(termsOf(parts)).toEqual(termsOf([whole]));
    }),
  );
});

test('are a little longer than asked for, and whole where there is no blank', () => {
  expect([...stretches('one two three\nfour', 5)]).toEqual(['one two ', 'three\n', 'four']);
  expect([...stretches('x'.repeat(100), 5)]).toEqual(['x'.repeat(100)]);
});

test.each([
  ['One. Two! Three (so?) Four', ['One. ', 'Two! ', 'Three (so?) ', 'Four']],
  ['Some, i.e. all, e.g. ten vs. two, cf. Mr. X, Mrs. Y and Dr. Z.', undefined],
  ['Lists, tables, etc. are cut (text etc.) at No. 5, approx. there.', undefined],
  ['Lists, etc. Tables. No. Yes.', ['Lists, etc. ', 'Tables. ', 'No. ', 'Yes.']],
  ['An arc. Specs. A fig.e.g... Two', ['An arc. ', 'Specs. ', 'A fig.e.g... ', 'Two']],
])('the sentences of %j', (text, sentences = [text]) => {
  const starts = [0, ...sentenceBoundaries(text, 0, text.length), text.length];
  expect(starts.slice(1).map((end, index) => text.slice(starts[index], end))).toEqual(sentences);
});
