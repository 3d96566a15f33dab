import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { warmUp } from '../../src/engine/shared-index.ts';
import { makeVariant } from '../support/small-model.ts';
import { createVault } from './vault.ts';

const NOTES = { 'a.md': '# Lanterns\n\nA lantern needs oil.\n', 'b.md': '# Cellars\n\nCellars are cool.\n' };

test('the first search finds the model in memory', async () => {
  const vault = createVault(NOTES);
  const model = makeVariant(join(vault.folder, '..', 'model'), 'model.onnx');
  const settings = { embedding: { model } };
  const indexed = await vault.open({ settings });
  await indexed.sync();
  await indexed.close();
  const [cold, warm] = [await vault.open({ settings }), await vault.open({ settings })];
  await warmUp(warm, new AbortController().signal);
  rmSync(model, { recursive: true });
  await expect(cold.search('oil for a lantern', { mode: 'semantic' })).rejects.toMatchObject({
    code: 'model_missing',
  });
  const { hits } = await warm.search('oil for a lantern', { mode: 'semantic' });
  expect(hits[0]).toMatchObject({ path: 'a.md' });
});

test('leaves failures to whoever asks, and ends with the signal', async () => {
  const vault = createVault(NOTES);
  await using index = await vault.open({ settings: { embedding: { model: '/nowhere' } } });
  await index.sync({ embed: false });
  await expect(index.search('lantern', { mode: 'semantic' })).rejects.toMatchObject({
    code: 'model_missing',
  });
  await warmUp(index, new AbortController().signal);
  await warmUp(index, AbortSignal.abort());
});
