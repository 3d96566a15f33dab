import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { createPlainScan } from '../../../src/core/indexes/vector-matrix.ts';
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

test('after loading, a vector is read from disk at most once, also one made later', async () => {
  const disk = openSqliteStore(':memory:');
  const read: number[] = [];
  const store: Store = {
    ...disk,
    vector(model, slot) {
      read.push(slot);
      return disk.vector(model, slot);
    },
  };
  const { slots } = disk.putDocument(sampleDocument('a.md', ['early', 'late', 'never']));
  const [early, late, never] = slots as [number, number, number];
  const keys = disk.missingVectors(MODEL, 3).map(({ key }) => key);
  const keyOf = (word: string) => keys.find((key) => key.endsWith(word))!;
  disk.putVectors(MODEL, [{ key: keyOf('early'), vector: Float32Array.of(0, 1) }]);
  const { vectorOf } = await loadSemanticIndex(
    store,
    async () => embedder,
    async () => createPlainScan(),
    String,
  );
  expect(vectorOf(late)).toBeUndefined();
  disk.putVectors(MODEL, [{ key: keyOf('late'), vector: Float32Array.of(1, 0) }]);
  read.length = 0;
  for (let times = 0; times < 3; times++) {
    expect([early, late].map(vectorOf)).toEqual([Float32Array.of(0, 1), Float32Array.of(1, 0)]);
  }
  expect(read).toEqual([early, late]);
  expect(vectorOf(never)).toBeUndefined();
  disk.close();
});
