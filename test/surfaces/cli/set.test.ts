import { expect, test } from 'vitest';
import { parseSettings } from '../../../src/surfaces/cli/set.ts';

test('values take the type of their setting', () => {
  const settings = ['search.fusion=rrf', 'top_n=7', 'chunking.parent_retrieval_enabled=false', 'model=./x=y'];
  expect(parseSettings(settings)).toEqual({
    search: { fusion: 'rrf', top_n: 7 },
    chunking: { parent_retrieval_enabled: false },
    embedding: { model: './x=y' },
  });
});

test.each([
  ['fusoin=rrf', 'no setting fusoin', 'Did you mean fusion?'],
  ['search.fusoin=rrf', 'no setting search.fusoin', 'Did you mean search.fusion?'],
  ['fusion', 'no value', '--set search.fusion=VALUE'],
  ['fusion=rff', 'search.fusion', 'How rankings are merged'],
  ['top_n=abc', 'search.top_n', 'Hits to return'],
  ['top_n=1000', 'search.top_n', 'Hits to return'],
])('%s is refused', (assignment, message, remedy) => {
  expect(() => parseSettings([assignment])).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: expect.stringContaining(message),
      remedy: expect.stringContaining(remedy),
    }),
  );
});
