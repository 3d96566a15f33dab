import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

test('vectors of a run that is stopped are seen by another handle', async () => {
  const many = Object.fromEntries(Array.from({ length: 140 }, (_, n) => [`${n}.md`, `Note ${n}.\n`]));
  const vault = createVault(many);
  const [reader, writer] = [await vault.open(), await vault.open()];
  await writer.sync({ embed: false });
  await reader.search('note');
  const controller = new AbortController();
  const stopped = writer.sync({
    signal: controller.signal,
    onProgress: ({ phase, done }) => phase === 'embed' && done > 0 && controller.abort(new Error('stopped')),
  });
  await expect(stopped).rejects.toThrow('stopped');
  expect((await reader.search('note')).index.embedded).toBeGreaterThan(0);
});
