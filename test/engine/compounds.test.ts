/** Ten German documents: compounds and their parts find each other, are marked in snippets, and stand in the explanation. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

const TEXTS = {
  sicherung: 'Die Sicherung der Daten läuft jede Nacht auf dem Server.',
  verbindung: 'Eine Verbindung zur Datenbank öffnet das Programm beim Start.',
  umbruch: 'Der Seitenumbruch steht vor jedem Kapitel des Buches.',
  trennung: 'Die Silbentrennung teilt lange Wörter am Zeilenende.',
  medium: 'Als Medium für die Installation genügt ein USB-Stick.',
  adressbuch: 'Im Adressbuch stehen Namen und Telefonnummern.',
  seite: 'Jede Seite hat einen Rand von zwei Zentimetern.',
  wetter: 'Das Wetter war am Morgen neblig und kalt.',
  garten: 'Im Garten wachsen Äpfel, Birnen und Kirschen.',
  wort: 'Ein Wort des Tages steht auf der ersten Seite.',
};

async function openNotes(language: string) {
  const notes = Object.entries(TEXTS).map(([name, text]) => [`de/${name}.md`, `${text}\n`]);
  const vault = createVault(Object.fromEntries(notes));
  const config = join(vault.folder, 'docfuse.toml');
  writeFileSync(config, `[[collections]]\npath = "de"\nlanguage = "${language}"\n`);
  const index = await vault.open({ roots: [], config, cwd: vault.folder });
  await index.sync({ embed: false });
  return async (query: string) => {
    const options = { mode: 'keyword', minConfidence: 0, parents: false, explain: true } as const;
    const [best] = (await index.search(query, options)).hits;
    const marked = best?.snippet.matches.map(([start, end]) => best.snippet.text.slice(start, end));
    return { path: best?.path, marked, explanation: JSON.stringify(best?.explanation) };
  };
}

test('compounds and their parts find each other where the collection names its language', async () => {
  const search = await openNotes('de');
  expect(await search('Datensicherung')).toMatchObject({
    path: 'sicherung.md',
    marked: ['Sicherung', 'Daten'],
  });
  expect(await search('Datenbankverbindungen')).toMatchObject({ path: 'verbindung.md' });
  expect(await search('Installationsmedium')).toMatchObject({ path: 'medium.md' });
  expect(await search('Umbruch einer Seite')).toMatchObject({
    path: 'umbruch.md',
    marked: ['Seitenumbruch'],
  });
  expect(await search('Trennung von Silben')).toMatchObject({ path: 'trennung.md' });
  expect(await search('Adressenbuch')).toMatchObject({ path: 'adressbuch.md', marked: ['Adressbuch'] });
  const { explanation } = await search('Datensicherung');
  expect(explanation).toContain('{"label":"weight of an added word","value":0.8}');
});

test('without a language, words stay as they are typed', async () => {
  const search = await openNotes('auto');
  expect((await search('Datensicherung')).path).toBeUndefined();
  expect((await search('Installationsmedium')).path).toBeUndefined();
});
