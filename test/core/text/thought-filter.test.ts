import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createThoughtFilter } from '../../../src/core/text/thought-filter.ts';

/** What is left of a text that comes in pieces of these sizes, then in one. */
function filtered(text: string, sizes: readonly number[]): string {
  const filter = createThoughtFilter();
  let left = '';
  let at = 0;
  for (const size of [...sizes, text.length]) {
    left += filter.take(text.slice(at, at + size));
    at += size;
  }
  return left + filter.rest();
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 30 });
const answer = fc.string().map((text) => `A${text}`);
const thought = fc.string().filter((text) => !text.includes('</think>'));

test('however it comes, what follows the thought is left', () => {
  fc.assert(
    fc.property(thought, answer, sizes, (thinks, says, cuts) => {
      expect(filtered(` <think>${thinks}</think>\n\n${says}`, cuts)).toBe(says);
    }),
  );
});

test('a text that begins with no thought is left as it is', () => {
  const texts = fc.oneof(answer, fc.constantFrom('', ' <thi', '<', 'See `<think>x</think>`.', '<thinks'));
  fc.assert(
    fc.property(texts, sizes, (text, cuts) => {
      expect(filtered(text, cuts)).toBe(text);
    }),
  );
});
