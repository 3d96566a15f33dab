/** Models whose weights lie in files beside the ONNX file. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/embedder.ts';
import { open } from '../../../src/engine/open.ts';
import { makeVariant, SMALL_MODEL } from '../../support/small-model.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WEIGHTS = 'external.onnx_data';
let work: string;
let model: string;
beforeEach(() => {
  work = temporaryFolder();
  model = makeVariant(join(work, 'model'), 'external.onnx');
});

function changeWeights(): void {
  const bytes = readFileSync(join(model, WEIGHTS));
  bytes.writeFloatLE(3, 0);
  writeFileSync(join(model, WEIGHTS), bytes);
}
async function embed(folder: string) {
  const embedder = await createOnnxEmbedder({ folder, workers: 1 });
  const vector = await embedder.embedQuery('tides').finally(() => embedder.close());
  return { identity: embedder.model, vector };
}

test('they are read, and a changed byte of them changes the identity', async () => {
  const first = await embed(model);
  expect(first.vector).toEqual((await embed(SMALL_MODEL)).vector);
  changeWeights();
  const second = await embed(model);
  expect(second.vector).not.toEqual(first.vector);
  expect(second.identity).not.toBe(first.identity);
});

test('weights of another ONNX file do not change the identity', async () => {
  const { identity } = await embed(model);
  writeFileSync(join(model, 'model_fp16.onnx_data'), 'x');
  expect((await embed(model)).identity).toBe(identity);
});

test('without them the model is refused, and the error names the missing file', async () => {
  rmSync(join(model, WEIGHTS));
  await expect(embed(model)).rejects.toMatchObject({
    code: 'model_invalid',
    message: expect.stringContaining(WEIGHTS),
  });
});

test('after a change of them all passages are embedded again, and a page cannot take them along', async () => {
  const notes = join(work, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'tides.md'), '# Tides\n\nThe moon pulls on the water.\n');
  const opening = { roots: [notes], indexPath: join(work, 'index'), settings: { embedding: { model } } };
  {
    await using index = await open(opening);
    expect((await index.sync()).embedded).toBe(1);
    await expect(index.export(join(work, 'site'), { vectors: true })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(WEIGHTS),
    });
  }
  await using same = await open(opening);
  expect((await same.sync()).embedded).toBe(0);
  await same.close();
  changeWeights();
  await using index = await open(opening);
  expect((await index.sync()).embedded).toBe(1);
});
