/** Text of removed documents is in no file of the index: not in slack of the database, nor in its log, segments or vocabulary. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite-store.ts';
import { kept } from './kept.ts';
import { tracesOf } from './removed-text.ts';
import { createVault, type Vault } from './vault.ts';

const SENTENCE = 'The zyqvorrin gate opens at a quarter past nine';
/** In each part of a document; `Lanterned` has the stem of a word that stays. */
const WORDS = {
  body: ['zyqvorrin', 'Flümbärkeln', 'Lanterned', 'mellonquux'],
  heading: ['Heddlewick'],
  title: ['Titlegrumble'],
  tags: ['tagglorp', 'hashwibble'],
  fields: ['Authorquist', 'Keywordle', 'Aliasgrote', 'Describbled', 'Otherfieldly'],
  code: ['grobnaxTheKey'],
  links: ['Linkwobble', 'Labelfrink', 'Anchorsnod'],
  acronym: ['Quibbling Zorpal Flange'],
};
const ALL = Object.values(WORDS).flat();

const SECRET = `---
title: Titlegrumble
tags: [tagglorp]
author: Authorquist
keywords: [Keywordle]
aliases: [Aliasgrote]
description: Describbled
other: Otherfieldly
---

# Heddlewick

${SENTENCE}. Flümbärkeln and "mellonquux" \\ too. They Lanterned it. #hashwibble
See [[Linkwobble#Anchorsnod|Labelfrink]]. A Quibbling Zorpal Flange (QZF) is one.

\`\`\`ts
grobnaxTheKey(1)
\`\`\`
`;

/** Letters of every case, so that words end up on many pages. */
const letters = (seed: number) => ((seed * 48271) % 2147483647).toString(36).replaceAll(/\d/g, 'q');
const filler = (n: number, length = 40) =>
  Array.from({ length }, (_, place) => letters(n * 997 + place + 1)).join(' ');
const FEW = {
  'lamp.md': '# Lamp\n\nThe lantern hangs over the gate, see [[tide]]. It opens.\n',
  'tide.md': '# Tide\n\nAt nine the tide turns, past the quarter.\n',
};
const NOTES: Record<string, string> = { ...FEW };
for (let n = 0; n < 20; n++) NOTES[`n/${n}.md`] = `# Note ${n}\n\nA lantern. ${filler(n)}\n`;

const words = { embed: false };
const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

/** @returns an index that holds the secret, which is checked */
async function withSecret(vault: Vault, path = 'n/secret-filewimble.md', bytes: string | Buffer = SECRET) {
  mkdirSync(join(vault.folder, 'n'), { recursive: true });
  writeFileSync(join(vault.folder, path), bytes);
  const index = await vault.open();
  await index.sync(words);
  const planted = [...ALL, SENTENCE, 'filewimble'];
  expect(tracesOf(vault.indexPath, planted)).toHaveLength(planted.length);
  return { index, planted };
}

const removals: Readonly<Record<string, (vault: Vault) => readonly string[]>> = {
  deleted: (vault) => {
    vault.remove('n/secret-filewimble.md');
    return [...ALL, SENTENCE, 'filewimble'];
  },
  edited: (vault) => {
    vault.write('n/secret-filewimble.md', '# Another\n\nA lantern.\n');
    return [...ALL, SENTENCE];
  },
  renamed: (vault) => {
    vault.rename('n/secret-filewimble.md', 'n/moved.md');
    return ['filewimble'];
  },
  ignored: (vault) => {
    vault.write('.docfuseignore', 'n/secret*\n');
    return [...ALL, SENTENCE, 'filewimble'];
  },
};

describe.each(Object.entries(removals))('a document that was %s', (_, remove) => {
  test('is in no byte of the index after the next run, while it is open and when it is closed', async () => {
    const vault = createVault(NOTES);
    const { index } = await withSecret(vault);
    const gone = remove(vault);
    await index.sync(words);
    expect(tracesOf(vault.indexPath, gone)).toEqual([]);
    await index.close();
    expect(tracesOf(vault.indexPath, gone)).toEqual([]);
    await using again = await vault.open();
    const { hits } = await again.search('lantern', { mode: 'keyword', minConfidence: 0, topN: 100 });
    expect(hits.length).toBeGreaterThan(10);
  });
});

test.each(['le', 'be'] as const)('one in UTF-16%s leaves nothing, either', async (order) => {
  const vault = createVault(NOTES);
  const { index, planted } = await withSecret(vault, 'n/filewimble.md', utf16(SECRET, order));
  rmSync(join(vault.folder, 'n/filewimble.md'));
  await index.sync(words);
  expect(tracesOf(vault.indexPath, planted)).toEqual([]);
});

test('nor does a collection that is left out of the configuration', async () => {
  const vault = createVault(NOTES);
  const config = join(vault.folder, '../docfuse.toml');
  const other = join(vault.folder, '../other');
  mkdirSync(other);
  writeFileSync(join(other, 'filewimble.md'), SECRET);
  const roots = [vault.folder, other].map((path) => `[[collections]]\npath = ${JSON.stringify(path)}\n`);
  const planted = [...ALL, SENTENCE, 'filewimble'];
  for (const [round, wanted] of [roots, roots.slice(0, 1)].entries()) {
    writeFileSync(config, wanted.join('\n'));
    const { open } = await import('../../src/engine/open.ts');
    await using index = await open({ config, indexPath: vault.indexPath });
    await index.sync(words);
    expect(tracesOf(vault.indexPath, planted)).toHaveLength(round === 0 ? planted.length : 0);
  }
});

test('words of the vocabulary go without a model, and where it is not kept any more', async () => {
  const vault = createVault({ ...FEW, 'secret.md': '# S\n\nzyqvorrin zyqvorrin zyqvorrin lanterned\n' });
  const settings = { search: { query_expansion_enabled: true } };
  for (const later of [settings, {}]) {
    vault.write('secret.md', '# S\n\nzyqvorrin zyqvorrin zyqvorrin lanterned\n');
    await using first = await vault.open({ settings });
    await first.sync();
    await first.close();
    const words = () => new DatabaseSync(join(vault.indexPath, 'index.sqlite'), { readOnly: true });
    expect(words().prepare("SELECT 1 FROM vocabulary WHERE word = 'zyqvorrin'").get()).toBeDefined();
    vault.remove('secret.md');
    await using index = await vault.open({ settings: later });
    await index.sync({ embed: false });
    expect(tracesOf(vault.indexPath, ['zyqvorrin', 'lanterned'])).toEqual([]);
  }
});

test('nor does one whose run was killed before its words were saved', async () => {
  const vault = createVault(NOTES);
  const { index, planted } = await withSecret(vault);
  await index.close();
  const file = join(vault.indexPath, 'index.sqlite');
  const store = openSqliteStore(file);
  for (const { number, path } of [...store.documents()])
    if (path.includes('filew')) store.removeDocument(number);
  store.close();
  vault.remove('n/secret-filewimble.md');
  expect(tracesOf(vault.indexPath, planted).length).toBeGreaterThan(5);
  await using next = await vault.open();
  expect(await next.sync({ ...words, verify: true })).toMatchObject({ removed: 0, unchanged: 22 });
  expect(tracesOf(vault.indexPath, planted)).toEqual([]);
});

/** Words enough for segments that are not rewritten with every save. */
const LARGE = Object.fromEntries(
  Array.from({ length: 16 }, (_, n) => [`n/${n}.md`, `# Note ${n}\n\nA lantern. ${filler(n, 600)}\n`]),
);

test('one in a large segment is gone after a run over all files, at the latest', async () => {
  const vault = createVault({ ...LARGE, ...FEW });
  const { index, planted } = await withSecret(vault);
  const bytes = statSync(join(vault.indexPath, 'index.sqlite')).size;
  expect(bytes).toBeGreaterThan(900_000);
  vault.remove('n/secret-filewimble.md');
  await index.sync({ ...words, only: ['notes/n/secret-filewimble.md'] });
  expect(tracesOf(vault.indexPath, [SENTENCE])).toEqual([]);
  expect(tracesOf(vault.indexPath, planted)).not.toEqual([]); // its words wait for the run over all files
  await index.sync(words);
  expect(tracesOf(vault.indexPath, planted)).toEqual([]);
});

test('a server leaves nothing in small segments once it read what was removed', async () => {
  const { vault, fresh } = await kept(FEW);
  await fresh.sync(words);
  vault.write('n/secret-filewimble.md', SECRET);
  await fresh.sync(words);
  const planted = [...ALL, SENTENCE, 'filewimble'];
  expect(tracesOf(vault.indexPath, planted).length).toBeGreaterThanOrEqual(planted.length);
  vault.remove('n/secret-filewimble.md');
  await fresh.sync(words);
  await expect.poll(() => tracesOf(vault.indexPath, planted), { timeout: 15_000 }).toEqual([]);
});

test('a log that others read is emptied by the next run, and that is said', async () => {
  const vault = createVault(NOTES);
  const { index, planted } = await withSecret(vault);
  const reader = new DatabaseSync(join(vault.indexPath, 'index.sqlite'), { readOnly: true });
  onTestFinished(() => reader.close());
  const rows = reader.prepare('SELECT text FROM chunk_bodies').iterate();
  rows.next();
  vault.remove('n/secret-filewimble.md');
  const { warnings } = await index.sync(words);
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/log could not be emptied/)]);
  rows.return?.();
  expect(await index.sync(words)).toMatchObject({ warnings: [] });
  expect(tracesOf(vault.indexPath, planted)).toEqual([]);
});

test('purging drops words, kept vectors and what pages hold of documents that went before', async () => {
  const vault = createVault({ ...FEW, 'secret.md': SECRET });
  const index = await vault.open();
  await index.sync();
  vault.remove('secret.md');
  await index.sync();
  expect((await index.status()).keptVectors).toBeGreaterThan(0);
  const before = await index.search('lantern gate', { minConfidence: 0 });
  // As an older version, or another program, may have left it.
  const database = new DatabaseSync(join(vault.indexPath, 'index.sqlite'));
  database.exec(
    `PRAGMA secure_delete = OFF; CREATE TABLE t (x); INSERT INTO t VALUES ('${SENTENCE}'); DROP TABLE t`,
  );
  database.close();
  expect(tracesOf(vault.indexPath, [SENTENCE])).not.toEqual([]);
  const { purged } = await index.sync({ purge: true });
  expect(purged).toMatchObject({ documents: 2, complete: true });
  expect(purged!.vectors).toBeGreaterThan(0);
  expect(purged!.bytesAfter).toBe(statSync(join(vault.indexPath, 'index.sqlite')).size);
  expect(tracesOf(vault.indexPath, [...ALL, SENTENCE])).toEqual([]);
  expect((await index.search('lantern gate', { minConfidence: 0 })).hits).toEqual(before.hits);
  expect((await index.check()).filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(readdirSync(vault.indexPath).filter((name) => name.includes('.new'))).toEqual([]);
});
