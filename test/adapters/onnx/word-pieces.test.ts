import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWordPieces } from '../../../src/adapters/onnx/word-pieces.ts';
import { packagedModels } from '../../../src/engine/config/places.ts';

test('the model of the package knows usual words and no slips', () => {
  const { knows, words } = createWordPieces(join(packagedModels(), 'bge-small-en-v1.5'));
  expect(['chain', 'exchange', 'interest', 'stations'].filter((word) => !knows(word))).toEqual([]);
  expect(['webhok', 'alowed', 'polcies'].filter(knows)).toEqual([]);
  expect([...words()]).toContain('chain');
});

test('without the file every word passes for known, so that nothing is corrected', () => {
  const nowhere = createWordPieces(join(packagedModels(), 'nowhere'));
  expect(nowhere.knows('webhok')).toBe(true);
  expect([...nowhere.words()]).toEqual([]);
});
