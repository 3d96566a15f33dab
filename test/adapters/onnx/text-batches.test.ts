import { afterAll, expect, test } from 'vitest';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { createTextBatches, isBatchable } from '../../../src/adapters/onnx/text-batches.ts';
import { createWorkerPool } from '../../../src/adapters/onnx/worker-pool.ts';
import { DEFAULT_MODEL } from './models.ts';

const pool = createWorkerPool({ kind: 'embedding', files: await openModelFolder(DEFAULT_MODEL) }, 1);
afterAll(pool.close);

test('texts that arrive while a batch runs make the next batch, of at most eight', async () => {
  const sizes: number[] = [];
  const embed = createTextBatches((texts) => {
    sizes.push(texts.length);
    return pool.embed(texts);
  });
  const texts = Array.from({ length: 12 }, (_, number) => 'the tide turns '.repeat(number));
  const vectors = await Promise.all(texts.map(embed));
  expect(sizes).toEqual([1, 8, 3]);
  for (const [index, text] of texts.entries()) expect([vectors[index]]).toEqual(await pool.embed([text]));
  expect(await embed('tides')).toHaveLength(384);
});

test('a batch that fails rejects its own texts only', async () => {
  const embed = createTextBatches(async (texts) => {
    if (texts.includes('bad')) throw new Error('no vector');
    return texts.map((text) => Float32Array.of(text.length));
  });
  const asked = ['first', 'bad', 'beside it', ...Array.from({ length: 6 }, () => 'between'), 'later'];
  const answers = await Promise.allSettled(asked.map(embed));
  const failed = asked.filter((_, index) => answers[index]!.status === 'rejected');
  expect(failed).toEqual(asked.slice(1, 9));
  expect(await embed('much later')).toEqual(Float32Array.of(10));
});

test('a model is asked in batches only if its vectors are the same as alone', async () => {
  expect(await isBatchable(pool.embed)).toBe(true);
  const padded = async (texts: readonly string[]) => {
    const width = Math.max(...texts.map(({ length }) => length));
    return texts.map((text) => Float32Array.of(text.length / (width + 1)));
  };
  expect(await isBatchable(padded)).toBe(false);
});
