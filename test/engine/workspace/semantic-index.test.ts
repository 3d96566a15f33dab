import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import type { Embedder } from '../../../src/core/ports.ts';
import type { Store } from '../../../src/core/storage.ts';
import { loadSemanticIndex } from '../../../src/engine/workspace/semantic-index.ts';
import { sampleDocument } from '../../adapters/store/sample.ts';

const MODEL = 'model-a';
const embedder: Embedder = {
  model: MODEL,
  dimensions: 2,
  embedQuery: async () => Float32Array.of(1, 0),
  embedPassages: async (texts) => texts.map(() => Float32Array.of(1, 0)),
  close: async () => {},
};

test('vectors are loaded once: after that, no search reads one from disk', async () => {
  const disk = openSqliteStore(':memory:');
  const store: Store = {
    ...disk,
    vector() {
      throw new Error('a vector was read');
    },
  };
  const { slots } = disk.putDocument(sampleDocument('a.md', ['early', 'late']));
  const [early, late] = slots as [number, number];
  const { key } = disk.missingVectors(MODEL, 2).find((each) => each.key.endsWith('early'))!;
  disk.putVectors(MODEL, [{ key, vector: Float32Array.of(0, 1) }]);
  const { vectorsOf, semantic } = await loadSemanticIndex(store, async () => embedder, {
    idOf: String,
    slotLimit: () => 0,
  });
  semantic.addVector(late, Float32Array.of(1, 0));
  const [one, two, none] = vectorsOf([early, late, 99]);
  expect([...one!, ...two!].map((component) => Math.round(component * 1e6) / 1e6)).toEqual([0, 1, 1, 0]);
  expect(none).toBeUndefined();
  disk.close();
});
