/** A model whose vectors are not made of finite numbers: its vectors would be near everything or nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../src/adapters/onnx/embedder.ts';
import { open } from '../../src/engine/open.ts';
import { makeVariant } from '../support/small-model.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const work = sharedFolder();

const model = makeVariant(join(work, 'model'), 'not_a_number.onnx');
const refused = {
  code: 'model_invalid',
  message: `${join(model, 'model.onnx')} computes vectors that are not made of finite numbers.`,
  remedy: expect.stringContaining('embedding.model'),
};

test('is refused for queries and for passages in threads', async () => {
  const embedder = await createOnnxEmbedder({ folder: model, workers: 2 });
  await expect(embedder.embedQuery('tide')).rejects.toMatchObject(refused);
  await expect(embedder.embedPassages(['tide', 'moon'])).rejects.toMatchObject(refused);
  await embedder.close();
});

test('fails the run that indexes, is found by doctor, and words are searched', async () => {
  const folder = join(work, 'notes');
  mkdirSync(folder);
  writeFileSync(join(folder, 'tides.md'), '# Tides\n\nThe moon pulls on the water.\n');
  const settings = { embedding: { model } };
  await using index = await open({ roots: [folder], indexPath: join(work, 'index'), settings });
  await expect(index.sync()).rejects.toMatchObject(refused);
  const { message: detail, remedy } = refused;
  const found = (await index.check()).find(({ name }) => name === 'model');
  expect(found).toEqual({ name: 'model', state: 'failure', detail, remedy });
  const { hits } = await index.search('moon', { mode: 'keyword', minConfidence: 0 });
  expect(hits[0]?.path).toBe('tides.md');
});
