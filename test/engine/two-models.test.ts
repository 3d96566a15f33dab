import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Index, SettingsOverride } from '../../src/engine/api.ts';
import { startService } from '../adapters/openai/service.ts';
import { makeOtherModel } from '../support/other-model.ts';
import { SMALL_MODEL } from '../support/small-model.ts';
import { createVault } from './vault.ts';

const ENGLISH = Object.fromEntries(
  Array.from({ length: 10 }, (_, n) => [
    `en/${n}.md`,
    `# Harbour ${n}\n\nThe keeper of the harbour lights lantern ${n} when the evening comes over the sea.\n`,
  ]),
);
const GERMAN =
  '# Brot\n\nDer Teig wird zehn Minuten lang geknetet und ruht danach eine ganze Stunde in der Schüssel.\n';
const RUSSIAN = '# Маяк\n\nСмотритель зажигает фонарь, когда вечер приходит с моря.\n';
const FOUR_SCRIPTS =
  '# Words\n\nThe word for bread.\n\nХлеб на столе стоит весь день.\n\n面包在桌子上放了一整天。\n\nΤο ψωμί είναι στο τραπέζι όλη μέρα.\n';

/** Both models as settings: the small one, and another one made beside the vault. */
function settingsFor(folder: string): SettingsOverride {
  return { embedding: { multilingual_model: makeOtherModel(join(folder, '..', 'second')) } };
}

const answeredBy = async (index: Index, query: string, filters = {}) =>
  (await index.search(query, { minConfidence: 0, filters })).index.model.split('@')[0];
const FIRST = 'overlap-embedder';
const SECOND = 'other';

test('the first model embeds English documents, the second one all, and status counts both', async () => {
  const vault = createVault({
    ...ENGLISH,
    'de/brot.md': GERMAN,
    'ru/mayak.md': RUSSIAN,
    'words.md': FOUR_SCRIPTS,
  });
  const index = await vault.open({ settings: settingsFor(vault.folder) });
  const seen = new Set<string | undefined>();
  const report = await index.sync({
    onProgress: ({ phase, model }) => phase === 'embed' && seen.add(model?.split('@')[0]),
  });
  expect(report.embedded).toBe(10 + 13);
  expect([...seen].sort()).toEqual([SECOND, FIRST].sort());
  const { index: facts } = await index.status();
  expect(facts).toMatchObject({ chunks: 13, embedded: 13, stale: false });
  expect(facts.models?.map(({ embedded, of }) => [embedded, of])).toEqual([
    [10, 10],
    [13, 13],
  ]);
  const checks = await index.check();
  expect(checks.find(({ name }) => name === 'model')?.detail).toMatch(/overlap-embedder@.*other@/);
  expect(checks.find(({ name }) => name === 'vectors')?.detail).toMatch(/10 of 10 .*13 of 13 /);
  // Nothing is left to do, and nothing is lost.
  expect((await index.sync()).embedded).toBe(0);
  vault.write(
    'de/kuchen.md',
    '# Kuchen\n\nDas Mehl wird mit der Butter und dem Zucker langsam zu einem Teig verrührt.\n',
  );
  expect((await index.sync({ only: ['notes/de'] })).embedded).toBe(1);
});

test('language of question and documents decide which model answers', async () => {
  const vault = createVault({ ...ENGLISH, 'ru/mayak.md': RUSSIAN });
  const index = await vault.open({ settings: settingsFor(vault.folder) });
  await index.sync();
  expect(await answeredBy(index, 'when does the keeper light the lantern?')).toBe(FIRST);
  expect(await answeredBy(index, 'когда зажигают фонарь?')).toBe(SECOND);
  expect(await answeredBy(index, 'wann zündet der Wärter die Laterne an?')).toBe(SECOND);
  // A single word, here and in no document.
  expect(await answeredBy(index, 'lantern')).toBe(FIRST);
  expect(await answeredBy(index, 'Leuchtturmwärter')).toBe(SECOND);
  expect(await answeredBy(index, 'lantern', { path: ['ru/'] })).toBe(SECOND);
  const hypothetical = await index.searchWithHypothesis('Der Wärter zündet die Laterne am Abend an.');
  expect(hypothetical.index.model).toMatch(/^other@/);
});

test('a question in another language whose words are all in the documents goes to the second model', async () => {
  const vault = createVault({ ...ENGLISH, 'de/brot.md': GERMAN });
  const index = await vault.open({ settings: settingsFor(vault.folder) });
  await index.sync();
  expect(await answeredBy(index, 'der Teig ruht danach eine ganze Stunde in der Schüssel')).toBe(SECOND);
  expect(await answeredBy(index, 'the keeper lights lantern in the evening over the sea')).toBe(FIRST);
});

test('where fewer than nine in ten documents are English, the second model answers all questions', async () => {
  const vault = createVault({ ...ENGLISH, 'ru/1.md': RUSSIAN, 'ru/2.md': RUSSIAN, 'de/brot.md': GERMAN });
  const index = await vault.open({ settings: settingsFor(vault.folder) });
  await index.sync();
  expect(await answeredBy(index, 'keeper of the harbour')).toBe(SECOND);
  expect(await answeredBy(index, 'keeper of the harbour', { path: ['en/'] })).toBe(FIRST);
});

test('an English text that the detector takes for another language is English', async () => {
  const title = 'A Rapid Braille Transliteration Technique for Certain IBM Machines'; // French, says eld
  const vault = createVault({
    'braille.md': `# ${title}\n`,
    'names.md': '# Vertex\n\nVertex AI Vertex AI\n',
  });
  const index = await vault.open({ settings: settingsFor(vault.folder) });
  await index.sync();
  expect((await index.status()).index.models?.[0]).toMatchObject({ embedded: 2, of: 2 });
});

test('the language of a collection overrides what its texts look like', async () => {
  const vault = createVault({ ...ENGLISH, 'ru/mayak.md': RUSSIAN });
  const config = join(vault.folder, '..', 'docfuse.toml');
  writeFileSync(config, `[[collections]]\nname = "notes"\npath = "${vault.folder}"\nlanguage = "de"\n`);
  const index = await vault.open({ roots: [], config, settings: settingsFor(vault.folder) });
  await index.sync();
  expect((await index.status()).index.models?.[0]).toMatchObject({ embedded: 0, of: 0 });
});

test('without the setting the vectors of the second model go', async () => {
  const vault = createVault({ 'ru/mayak.md': RUSSIAN, ...ENGLISH });
  const both = await vault.open({ settings: settingsFor(vault.folder) });
  await both.sync();
  await both.close();
  const one = await vault.open();
  expect((await one.status()).index).toMatchObject({ embedded: 10, stale: true });
  expect((await one.sync()).embedded).toBe(1);
  const { index } = await one.status();
  expect([index.models, index.embedded, index.stale]).toEqual([undefined, 11, false]);
});

test('a second model that is the first, or has no tokenizer, is refused by name', async () => {
  const vault = createVault(ENGLISH);
  const same = await vault.open({ settings: { embedding: { multilingual_model: SMALL_MODEL } } });
  await expect(same.sync()).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('the same model'),
  });
  const folder = join(vault.folder, '..', 'bare');
  cpSync(SMALL_MODEL, folder, { recursive: true });
  rmSync(join(folder, 'tokenizer.json'));
  const bare = await vault.open({ settings: { embedding: { multilingual_model: folder } } });
  await expect(bare.sync()).rejects.toMatchObject({
    code: 'model_missing',
    message: `${folder} has no tokenizer.json.`,
    remedy: expect.stringContaining('embedding.multilingual_model'),
  });
  const missing = await vault.open({ settings: { embedding: { multilingual_model: 'someone/missing' } } });
  await expect(missing.sync()).rejects.toMatchObject({
    remedy: expect.stringContaining('docfuse models pull someone/missing'),
  });
});

test('a service may be the first model', async () => {
  const vector = Float32Array.of(0.6, 0.8);
  const embedPassages = async (texts: readonly string[]) => texts.map(() => vector);
  const embedder = { model: 'two', dimensions: 2, embedPassages, embedQuery: async () => vector };
  const service = await startService({ embedder: { ...embedder, async close() {} } });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const vault = createVault({ ...ENGLISH, 'ru/mayak.md': RUSSIAN });
  const first = { provider: 'openai', model: 'two', base_url: service.url } as const;
  const index = await vault.open({
    settings: { embedding: { ...settingsFor(vault.folder).embedding, ...first } },
  });
  expect((await index.sync()).embedded).toBe(10 + 11);
  expect(await answeredBy(index, 'keeper of the harbour')).toMatch(/two/);
  expect(await answeredBy(index, 'когда зажигают фонарь?')).toBe(SECOND);
});

test('auto says once that another model would serve better', async () => {
  const notes = { 'brot.md': GERMAN, 'mayak.md': RUSSIAN, 'en.md': ENGLISH['en/0.md']! };
  const vault = createVault(notes, 'auto');
  const index = await vault.open();
  const advice =
    /67 % of the documents are not in English.*docfuse models pull intfloat\/multilingual-e5-small/;
  const first = await index.sync({ embed: false });
  expect(first.warnings.map(({ message }) => message)).toEqual([expect.stringMatching(advice)]);
  expect((await index.sync({ embed: false })).warnings).toEqual([]);
  const languages = (await index.check()).find(({ name }) => name === 'languages');
  expect([languages?.state, `${languages?.detail} ${languages?.remedy}`]).toEqual([
    'warning',
    expect.stringMatching(advice),
  ]);
  const config = join(vault.folder, 'docfuse.toml');
  writeFileSync(config, '[[collections]]\npath = "."\nlanguage = "de"\n');
  const german = await vault.open({ roots: [], config, cwd: vault.folder });
  await german.sync({ embed: false });
  const { remedy } = (await german.check()).find(({ name }) => name === 'languages')!;
  expect(remedy).not.toContain('language =');
  // A user who names a model needs no advice.
  const named = await vault.open({ settings: { embedding: { model: 'bge-small-en-v1.5' } } });
  expect((await named.check()).find(({ name }) => name === 'languages')).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('it was not compared'),
  });
});

test('auto advises when documents in another language come, not before', async () => {
  const vault = createVault({ 'en.md': ENGLISH['en/0.md']! }, 'auto');
  const index = await vault.open();
  expect((await index.sync({ embed: false })).warnings).toEqual([]);
  vault.write('mayak.md', RUSSIAN);
  vault.write('brot.md', GERMAN);
  expect((await index.sync({ embed: false })).warnings).toHaveLength(1);
});
