/** `embedding.dimensions` with a model on this machine: its vectors are cut and made unit vectors again. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../src/adapters/onnx/embedder.ts';
import { makeOtherModel } from '../support/other-model.ts';
import { SMALL_MODEL } from '../support/small-model.ts';
import { createVault } from './vault.ts';

const encoder = (name: string) => fileURLToPath(new URL(`../fixtures/encoders/${name}`, import.meta.url));
const TEXTS = ['Tides', 'The moon pulls on the water, twice a day.', 'Bread'];
const NOTES = {
  'tides.md': '# Tides\n\nThe moon pulls on the water twice a day.\n',
  'bread.md': '# Bread\n\nYeast turns sugar into gas, and so dough rises.\n',
};
const cutTo = (dimensions: number) => ({ settings: { embedding: { dimensions } } });

async function vectorsOf(folder: string, dimensions?: number) {
  const embedder = await createOnnxEmbedder({ folder, dimensions, workers: 1 });
  const [query, passages] = [await embedder.embedQuery(TEXTS[1]!), await embedder.embedPassages(TEXTS)];
  await embedder.close();
  return { ...{ dimensions: embedder.dimensions, model: embedder.model }, vectors: [query, ...passages] };
}

test.each([
  ['pooled by docfuse', SMALL_MODEL, 64, 37],
  ['pooled by docfuse, in a batch with padding', encoder('modern-bert'), 16, 5],
  ['pooled by the model', encoder('embedding-gemma'), 8, 3],
])('vectors %s are the first numbers of whole vectors, as unit vectors', async (_, folder, own, cut) => {
  const [whole, short] = [await vectorsOf(folder), await vectorsOf(folder, cut)];
  expect([whole.dimensions, short.dimensions]).toEqual([own, cut]);
  short.vectors.forEach((vector, at) => {
    const first = whole.vectors[at]!.slice(0, cut);
    const expected = first.map((value) => value / Math.hypot(...first));
    expect(vector).toHaveLength(cut);
    vector.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i]!, 5);
    });
  });
  expect(short.model).not.toBe(whole.model);
  expect((await vectorsOf(SMALL_MODEL, 64)).model).toBe((await vectorsOf(SMALL_MODEL)).model);
});

test('more numbers than the model has are refused with both lengths', async () => {
  const embedder = await createOnnxEmbedder({ folder: SMALL_MODEL, dimensions: 65, workers: 2 });
  const refused = {
    code: 'config',
    message: `embedding.dimensions is 65, but the vectors of ${join(SMALL_MODEL, 'model.onnx')} have 64 numbers.`,
    remedy: 'Set it to 64 or less, or remove it.',
  };
  await expect(embedder.embedQuery('x')).rejects.toMatchObject(refused);
  await expect(embedder.embedPassages(['x', 'y'])).rejects.toMatchObject(refused);
  await embedder.close();
});

test('a change of the setting makes new vectors, which are searched and checked', async () => {
  const vault = createVault(NOTES);
  {
    await using whole = await vault.open();
    expect((await whole.sync()).embedded).toBe(2);
  }
  const index = await vault.open(cutTo(24));
  expect((await index.sync()).embedded).toBe(2);
  const { hits } = await index.search('twice a day', { mode: 'semantic', minConfidence: 0 });
  expect(hits[0]?.path).toBe('tides.md');
  expect((await index.check()).find(({ name }) => name === 'model')?.state).toBe('ok');
});

test('the second model keeps its length', async () => {
  const vault = createVault(NOTES);
  const second = makeOtherModel(join(vault.folder, '..', 'second'));
  const index = await vault.open({ settings: { embedding: { dimensions: 24, multilingual_model: second } } });
  expect((await index.sync()).embedded).toBe(4);
  const { index: facts } = await index.search('что делает луна', { mode: 'semantic', minConfidence: 0 });
  expect(facts.model).toBe((await vectorsOf(second)).model);
});
