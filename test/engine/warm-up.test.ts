import { expect, test } from 'vitest';
import { PACKAGED_MODEL } from '../../src/engine/config/settings.ts';
import { warmUp } from '../../src/engine/shared-index.ts';
import { createVault } from './vault.ts';

const NOTES = { 'a.md': '# Lanterns\n\nA lantern needs oil.\n', 'b.md': '# Cellars\n\nCellars are cool.\n' };

test('the first search finds what it needs in memory', async () => {
  const vault = createVault(NOTES, PACKAGED_MODEL);
  const indexed = await vault.open();
  await indexed.sync();
  await indexed.close();
  async function firstOf(warm: boolean): Promise<number> {
    await using index = await vault.open();
    if (warm) await warmUp(index, new AbortController().signal);
    const { timingsMs } = await index.search('oil for a lantern');
    return timingsMs.retrieve!;
  }
  const cold = await firstOf(false);
  expect(await firstOf(true)).toBeLessThan(cold / 3);
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
