import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rememberTokens } from '../../src/core/read-batch.ts';
import { analyze } from '../../src/core/text/analyze.ts';
import type { Tokenizer } from '../../src/core/text/token.ts';

test('visits the same terms at the first and at every later time', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('std::string_view', "don't 東京都 C++20"),
  );
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const remembered = rememberTokens(analyze, 40);
      for (const each of [...texts, ...texts])
        expect(visits(remembered, each)).toEqual(visits(analyze, each));
    }),
  );
});

test('tokenizes each text once, as long as there is room', () => {
  let count = 0;
  const remembered = rememberTokens((text, visit) => {
    count++;
    return analyze(text, visit);
  }, 6);
  for (const text of ['one', 'two', 'one', 'long', 'one', 'long']) remembered(text, () => {});
  expect(count).toBe(4);
});

function visits(tokenize: Tokenizer, text: string) {
  const seen: unknown[] = [];
  const length = tokenize(text, (...token) => seen.push(token));
  return { seen, length };
}
