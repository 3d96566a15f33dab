import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { awayFromPlain, notePlainQuestions } from '../../../src/engine/workspace/question-centre.ts';

test('a question is moved away from the mean of plain questions of the same model', async () => {
  const store = openSqliteStore(':memory:');
  const embedQuery = async () => Float32Array.of(1, 0);
  const embedder = {
    model: 'm@1',
    dimensions: 2,
    embedQuery,
    embedPassages: async () => [],
    close: async () => {},
  };
  const question = Float32Array.of(0.8, 0.6);
  expect(awayFromPlain(store, 'm@1', question)).toBe(question);
  await notePlainQuestions(store, embedder);
  const moved = awayFromPlain(store, 'm@1', question);
  expect(Math.hypot(...moved)).toBeCloseTo(1);
  expect(moved[1]! / moved[0]!).toBeCloseTo(0.6 / 0.1);
  expect(awayFromPlain(store, 'another', question)).toBe(question);
});
