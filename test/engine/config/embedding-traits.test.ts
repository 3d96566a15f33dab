/** What the engine takes for granted of an embedding provider. */
import { expect, it } from 'vitest';
import { embeddingTraits } from '../../../src/engine/config/embedding-traits.ts';
import { settingsSchema } from '../../../src/engine/config/settings.ts';

it.each([
  [{}, { fixedIdentity: true, free: true, staysOnThisMachine: true }],
  [{ provider: 'openai' }, { fixedIdentity: false, free: false, staysOnThisMachine: false }],
  [
    { provider: 'openai', base_url: 'http://127.0.0.1:11434/v1' },
    { free: false, staysOnThisMachine: true },
  ],
  [{ provider: 'openai', base_url: 'https://api.example.com/v1' }, { staysOnThisMachine: false }],
  [{ provider: 'openai', base_url: 'not an address' }, { staysOnThisMachine: false }],
] as const)('%o promises %o', (settings, promised) => {
  expect(embeddingTraits({ ...settingsSchema.parse({}).embedding, ...settings })).toMatchObject(promised);
});
