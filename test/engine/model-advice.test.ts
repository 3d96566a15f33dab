/** When `index` and `doctor` advise a multilingual model beside the packaged one. */
import { expect, test } from 'vitest';
import { loadAnalyzers } from '../../src/adapters/languages/load-analyzers.ts';
import { locateIndex } from '../../src/engine/config/locate-index.ts';
import { modelAdvice } from '../../src/engine/model-advice.ts';
import { composeWorkspace, placeOfIndex } from '../../src/engine/open.ts';
import { createVault } from './vault.ts';

const english = (n: number) =>
  `# Harbour ${n}\n\nThe keeper of the harbour lights lantern ${n} when the evening comes over the sea.\n`;
const german = (n: number) =>
  `# Brot ${n}\n\nDer Teig wird ${n} Minuten lang geknetet und ruht danach eine ganze Stunde in der Schüssel.\n`;
/** English without the small words of prose. */
const list = (n: number) =>
  `# Settings ${n}\n\nDefault window size. Preview theme. Workspace folder name. Command palette shortcut. Extension update. Keyboard layout.\n`;

function vaultOf(counts: { english: number; german?: number; list?: number }) {
  const notes: Record<string, string> = {};
  for (let n = 0; n < counts.english; n++) notes[`en/${n}.md`] = english(n);
  for (let n = 0; n < (counts.german ?? 0); n++) notes[`de/${n}.md`] = german(n);
  for (let n = 0; n < (counts.list ?? 0); n++) notes[`lists/${n}.md`] = list(n);
  return createVault(notes, 'auto');
}
const advised = async (vault: ReturnType<typeof vaultOf>) => {
  const index = await vault.open();
  const { warnings } = await index.sync({ embed: false });
  const found = (await index.check()).find(({ name }) => name === 'languages');
  await index.close();
  return [warnings.map(({ message }) => /About (\d+) %/.exec(message)?.[1]), found?.state];
};

test('five documents and a tenth of all are enough', async () => {
  const vault = vaultOf({ english: 41, german: 4 });
  expect(await advised(vault)).toEqual([[], 'ok']);
  vault.write('de/more.md', german(9));
  expect(await advised(vault)).toEqual([['11'], 'warning']);
  // It is said once, and whenever doctor is asked.
  vault.write('de/even-more.md', german(10));
  expect(await advised(vault)).toEqual([[], 'warning']);
});

test('four are not enough, even if they are more than a tenth', async () => {
  expect(await advised(vaultOf({ english: 26, german: 4 }))).toEqual([[], 'ok']);
});

test.each([
  ['de', german, 'collection with language = "de".'],
  ['zh', (n: number) => `# 灯塔 ${n}\n\n守塔人每天晚上点亮第${n}盏灯，船只因此找到回家的路。\n`, undefined],
])('the language of most documents is named if it has forms of words: %s', async (_, text, named) => {
  const vault = createVault({}, 'auto');
  for (let n = 0; n < 6; n++) vault.write(`${n}.md`, text(n));
  vault.write('other.md', '# Маяк\n\nСмотритель каждый вечер зажигает фонарь над тёмным морем.\n');
  const index = await vault.open();
  const [{ message = '' } = {}] = (await index.sync({ embed: false })).warnings;
  expect(message).toMatch(
    /models pull .* in docfuse\.toml or ~.* in a trusted file, the path of a folder with a model/,
  );
  expect(/collection with language = .*/.exec(message)?.[0]).toBe(named);
});

test('five in a hundred are not enough', async () => {
  expect(await advised(vaultOf({ english: 95, german: 5 }))).toEqual([[], 'ok']);
});

test('lists in English do not count', async () => {
  expect(await advised(vaultOf({ english: 20, list: 10 }))).toEqual([[], 'ok']);
});

test('without a detector only most of the documents are enough, because lists look like another language', async () => {
  const vault = vaultOf({ english: 20, list: 10 });
  await (await vault.open()).sync({ embed: false });
  const { config } = locateIndex({ roots: [vault.folder], indexPath: vault.indexPath });
  const given = { ...config, analyzers: await loadAnalyzers(config.collections), cwd: vault.folder };
  const workspace = composeWorkspace(placeOfIndex(vault.indexPath).open(), given);
  expect(await modelAdvice({ ...workspace, openDetector: async () => undefined })).toBeUndefined();
  await workspace.close();
});

test('a question in a script of which the documents have no word names the setting', async () => {
  const vault = createVault(
    { 'a.md': english(1), 'b.md': '# Маяк\n\nСмотритель зажигает фонарь.\n' },
    'auto',
  );
  const index = await vault.open();
  await index.sync();
  const noticeOf = async (query: string, mode: 'hybrid' | 'keyword' = 'hybrid') =>
    (await index.search(query, { mode })).notice ?? '';
  const said = /The model bge-small-en-v1\.5 reads English only; embedding\.multilingual_model adds a model/;
  expect(await noticeOf('港口什么时候关门')).toMatch(said);
  expect((await noticeOf('港口什么时候关门')).match(/embedding\./g)).toHaveLength(1);
  expect(await noticeOf('фонарь')).not.toMatch(said);
  expect(await noticeOf('zyzzyva')).not.toMatch(said);
  expect(await noticeOf('港口什么时候关门', 'keyword')).not.toMatch(said);
});
