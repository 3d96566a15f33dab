import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { warmUp } from '../../src/engine/shared-index.ts';
import { makeVariant, SMALL_SETTINGS } from '../support/small-model.ts';
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

test('tells once that the model has moved to a thread and left garbage', async () => {
  const vault = createVault(NOTES);
  let times = 0;
  await using index = await vault.open({ settings: SMALL_SETTINGS, onGivenBack: () => times++ });
  await index.sync();
  for (let asked = 0; asked < 19; asked++) await index.search(`oil ${asked}`, { mode: 'semantic' });
  expect(times).toBe(0);
  const more = async () => {
    await index.search(`lantern ${performance.now()}`, { mode: 'semantic' });
    return times;
  };
  await expect.poll(more, { timeout: 30_000 }).toBe(1);
  expect(await more()).toBe(1);
});
