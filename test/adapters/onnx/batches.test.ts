import { afterAll, expect, test } from 'vitest';
import { createBatches, isBatchable } from '../../../src/adapters/onnx/embedder.ts';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { createWorkerPool } from '../../../src/adapters/onnx/worker-pool.ts';
import { DEFAULT_MODEL } from './models.ts';

const pool = createWorkerPool({ kind: 'embedding', files: await openModelFolder(DEFAULT_MODEL) }, 1);
afterAll(pool.close);

test('the first request is sent at once, and what waits meanwhile makes batches of at most four', async () => {
  const sizes: number[] = [];
  const embed = createBatches((texts: readonly string[]) => {
    sizes.push(texts.length);
    return pool.embed(texts);
  });
  const texts = Array.from({ length: 10 }, (_, number) => 'the tide turns '.repeat(number));
  const pending = texts.map(embed);
  expect(sizes).toEqual([1]);
  const vectors = await Promise.all(pending);
  expect(sizes).toEqual([1, 4, 4, 1]);
  for (const [index, text] of texts.entries()) expect([vectors[index]]).toEqual(await pool.embed([text]));
});

test('a batch that fails rejects its own requests only', async () => {
  const embed = createBatches(async (texts: readonly string[]) => {
    if (texts.includes('bad')) throw new Error('no vector');
    return texts.map((text) => text.length);
  });
  const asked = ['first', 'of', 'one', 'batch', 'good', 'bad', 'beside it', 'last', 'later'];
  const answers = await Promise.allSettled(asked.map(embed));
  expect(asked.filter((_, index) => answers[index]!.status === 'rejected')).toEqual(asked.slice(5, 9));
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
