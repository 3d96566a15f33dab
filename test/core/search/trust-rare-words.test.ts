/** A word that few passages hold is found for sure, however large the index is. */
import { expect, test } from 'vitest';
import { memoryIndex } from '../../support/memory-services.ts';

const { search } = memoryIndex([
  ...Array.from({ length: 300 }, (_, number) => ({
    path: `${number}.md`,
    text: `# Note ${number}\n\nThe gardener waters the ${number % 40 === 7 ? 'quince' : 'plum'} trees every morning before the sun is high.\n`,
  })),
  {
    path: 'rare.md',
    text: `# Settings\n\n${'Many other words stand in this long passage about settings and what they do. '.repeat(8)}Set frobnicate to true.\n`,
  },
]);

const first = async (query: string, settings = {}) =>
  (await search(query, { mode: 'keyword', minConfidence: 0, explain: true, settings })).hits[0]!;

test.each(['frobnicate', 'frobnicate settings'])(
  '%s is found for sure, and the explanation says why',
  async (query) => {
    const { path, score, explanation } = await first(query);
    expect([path, score]).toEqual(['rare.md', expect.closeTo(Math.max(0.45, score), 9)]);
    expect(score).toBeGreaterThanOrEqual(0.45);
    const before = (await first(query, { exactFirstEnabled: false })).score;
    expect(JSON.stringify(explanation).includes('confidence of a rare word')).toBe(before < 0.45);
  },
);

test('a passage with a rare word is not called high for it: the word may stand there by chance', async () => {
  expect((await first('frobnicate')).confidence).toBe('fair');
});

test('without exact matches the model alone decides, which asks more of a passage in a large index', async () => {
  expect((await first('frobnicate', { exactFirstEnabled: false })).score).toBeLessThan(0.45);
});

test.each([
  ['of a word that more than five passages hold', 'quince'],
  ['of a longer question', 'frobnicate the settings garden sun'],
  ['where one of the words is missing', 'frobnicate trees'],
])('the confidence %s is that of the model', async (_, query) => {
  const { score, explanation } = await first(query);
  expect(score).toBe((await first(query, { exactFirstEnabled: false })).score);
  expect(JSON.stringify(explanation)).not.toContain('rare word');
});
