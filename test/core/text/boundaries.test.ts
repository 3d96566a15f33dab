import { expect, test } from 'vitest';
import { sentenceBoundaries } from '../../../src/core/text/boundaries.ts';

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
