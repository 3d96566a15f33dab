import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { SearchResult } from '../../src/engine/api.ts';
import { loadConfig } from '../../src/engine/config/config.ts';
import { createVault, type Vault } from './vault.ts';

const BY_WORDS = { mode: 'keyword', minConfidence: 0, parents: false } as const;
const NOTES = {
  'de/stadt.md': '# Stadt\n\nIn den alten Häusern am Fluss wohnt niemand mehr.\n',
  'en/parser.md': '# Parser\n\nThe scanner rotates its tokens; a war on white space.\n',
};

const ids = ({ hits }: SearchResult) => hits.map(({ documentId }) => documentId);
const shown = ({ hits: [hit] }: SearchResult) =>
  hit?.snippet.matches.map(([start, end]) => hit.snippet.text.slice(start, end));

function withLanguage(vault: Vault, language: string) {
  const config = join(vault.folder, 'docfuse.toml');
  writeFileSync(
    config,
    `[[collections]]\npath = "de"\nlanguage = "${language}"\n\n[[collections]]\npath = "en"\n`,
  );
  return { roots: [], config, cwd: vault.folder };
}

test('inflected words of each collection are found and shown, and its stop words count for nothing', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open(withLanguage(vault, 'de'));
  await index.sync({ embed: false });
  const house = await index.search('das alte Haus', BY_WORDS);
  expect(ids(house)).toEqual(['de/stadt.md']);
  expect(shown(house)).toEqual(['alten', 'Häusern']);
  const token = await index.search('rotated token', BY_WORDS);
  expect([ids(token), shown(token)]).toEqual([['en/parser.md'], ['rotates', 'tokens']]);
  expect(ids(await index.search('"altes Haus"', BY_WORDS))).toEqual(['de/stadt.md']);
  expect(ids(await index.search('alte -Haus', BY_WORDS))).toEqual([]);
  const [sure] = (await index.search('wie war das Haus', BY_WORDS)).hits;
  const [plain] = (await index.search('Haus', BY_WORDS)).hits;
  expect(sure?.score).toBeCloseTo(plain!.score);
});

test('a phrase in the other language is known, so a notice blames only the one that no passage holds', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open(withLanguage(vault, 'de'));
  await index.sync({ embed: false });
  const { notice } = await index.search('"alten Häusern" "zebra"', BY_WORDS);
  expect(notice).toContain('No passage holds "zebra"; the words of all phrases were searched instead.');
});

test('accents may be left out, whatever the stem', async () => {
  const vault = createVault({
    ...NOTES,
    'de/a.md': '# Notes\n\nUne première préférence exprimée par l’économie.\n',
  });
  // Else near spellings would find them, too.
  const settings = { search: { spelling_enabled: false } };
  const index = await vault.open({ ...withLanguage(vault, 'fr'), settings });
  await index.sync({ embed: false });
  for (const query of ['premiere', 'preference', 'préférences', 'economie', 'l’economie', 'PRÉFÉRENCE']) {
    expect(ids(await index.search(query, BY_WORDS)), query).toEqual(['de/a.md']);
  }
});

test('another language holds at once, and the next sync saves the words without reading a file', async () => {
  const vault = createVault(NOTES);
  const before = await vault.open(withLanguage(vault, 'auto'));
  await before.sync({ embed: false });
  expect(ids(await before.search('Haus', BY_WORDS))).toEqual([]);
  await before.close();

  const after = await vault.open(withLanguage(vault, 'de'));
  expect(ids(await after.search('Haus', BY_WORDS))).toEqual(['de/stadt.md']);
  expect(metaOf(vault, 'analysis')).not.toMatch(/de=de/);
  expect(await after.sync({ embed: false })).toMatchObject({ changed: 0, unchanged: 2 });
  expect(ids(await after.search('Haus', BY_WORDS))).toEqual(['de/stadt.md']);
  await after.close();
  expect(metaOf(vault, 'analysis')).toMatch(/ de=de$/);
});

test('English is what auto does: nothing is read again', async () => {
  const vault = createVault(NOTES);
  const before = await vault.open(withLanguage(vault, 'auto'));
  await before.sync({ embed: false });
  await before.close();
  const after = await vault.open(withLanguage(vault, 'en'));
  expect(await after.sync({ embed: false })).toMatchObject({ changed: 0, unchanged: 2 });
});

test.each([
  ['german', 'Did you mean de (German)?'],
  ['fre', 'Did you mean fr (French)?'],
  ['klingon', 'Known: auto, ar, da,'],
])('a language there is not: %s', (language, remedy) => {
  const config = withLanguage(createVault({ 'de/a.md': '' }), language);
  expect(() => loadConfig(config)).toThrow(
    expect.objectContaining({
      code: 'config',
      message: `${config.config}:3: there is no language "${language}".`,
      remedy: expect.stringContaining(remedy),
    }),
  );
});

function metaOf({ indexPath }: Vault, key: string): unknown {
  const database = new DatabaseSync(join(indexPath, 'index.sqlite'), { readOnly: true });
  try {
    return JSON.parse(database.prepare('SELECT value FROM meta WHERE key = ?').get(key)!.value as string);
  } finally {
    database.close();
  }
}

test('a page in four scripts is found by words of each, in other forms where the script has them', async () => {
  const page =
    '# Words\n\nLoaves are baked.\n\nХлеб лежит на столе.\n\n麵包在桌子上。\n\nالخُبز على الطاولة.\n\nパンは机の上にあります。\n';
  const vault = createVault({ ...NOTES, 'words.md': page });
  const index = await vault.open();
  await index.sync({ embed: false });
  for (const query of ['baking', 'ХЛЕБ', '面包', '桌子', 'الخبز', 'ぱん', '机の上']) {
    expect(ids(await index.search(query, BY_WORDS)), query).toEqual(['notes/words.md']);
  }
  expect(ids(await index.search('пирог', BY_WORDS))).toEqual([]);
});
