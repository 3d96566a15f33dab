import { afterAll, expect, test } from 'vitest';
import { createBatches } from '../../../src/adapters/onnx/batches.ts';
import { isBatchable } from '../../../src/adapters/onnx/embedder.ts';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { createWorkerPool } from '../../../src/adapters/onnx/worker-pool.ts';
import { DEFAULT_MODEL } from './models.ts';

const pool = createWorkerPool({ kind: 'embedding', files: await openModelFolder(DEFAULT_MODEL) }, 1);
afterAll(pool.close);

test('what is asked for at once, or while a batch runs, makes batches of at most four', async () => {
  const sizes: number[] = [];
  const embed = createBatches((texts: readonly string[]) => {
    sizes.push(texts.length);
    return pool.embed(texts);
  });
  const texts = Array.from({ length: 10 }, (_, number) => 'the tide turns '.repeat(number));
  const vectors = await Promise.all(texts.map(embed));
  expect(sizes).toEqual([4, 4, 2]);
  for (const [index, text] of texts.entries()) expect([vectors[index]]).toEqual(await pool.embed([text]));
  // What waits for one promise goes on together.
  const started = embed('tides');
  await Promise.all([1, 2, 3].map(() => started.then(async () => embed('mills'))));
  expect(sizes.slice(3)).toEqual([1, 3]);
});

test('a first batch that begins at once is sent before the caller goes on', async () => {
  const sizes: number[] = [];
  const measure = createBatches(
    async (texts: readonly string[]) => {
      sizes.push(texts.length);
      return texts.map((text) => text.length);
    },
    (first) => first(),
  );
  const lengths = ['now', 'later', 'beside it'].map((text) => measure(text));
  expect(sizes).toEqual([1]);
  expect(await Promise.all(lengths)).toEqual([3, 5, 9]);
  expect(sizes).toEqual([1, 2]);
});

test('a batch that fails rejects its own requests only', async () => {
  const embed = createBatches(async (texts: readonly string[]) => {
    if (texts.includes('bad')) throw new Error('no vector');
    return texts.map((text) => text.length);
  });
  const asked = ['first', 'of', 'one', 'batch', 'good', 'bad', 'beside it', 'last', 'later'];
  const answers = await Promise.allSettled(asked.map(embed));
  expect(asked.filter((_, index) => answers[index]!.status === 'rejected')).toEqual(asked.slice(4, 8));
  expect(await embed('much later')).toBe(10);
});

test('a model is asked in batches only if its vectors are the same as alone', async () => {
  expect(await isBatchable(pool.embed)).toBe(true);
  const padded = async (texts: readonly string[]) => {
    const width = Math.max(...texts.map(({ length }) => length));
    return texts.map((text) => Float32Array.of(text.length / (width + 1)));
  };
  expect(await isBatchable(padded)).toBe(false);
});
