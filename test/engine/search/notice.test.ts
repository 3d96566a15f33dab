/** Notices about the words of a query. */
import { expect, test } from 'vitest';
import { shownScore } from '../../../src/core/text/format-numbers.ts';
import { createVault } from '../vault.ts';

const NOTES = {
  'auth/tokens.md': '# Access tokens\n\nTokens expire after an hour.\n',
  'ops/backup.md': '# Backups\n\nA snapshot of the database is taken every night and kept for thirty days.\n',
  'ops/restore.md': '# Restoring\n\nPick a snapshot, stop the writers, then run the restore script.\n',
};

test('the answer names words that no passage contains, but none that it found in another form', async () => {
  const index = await createVault({
    ...NOTES,
    'setup/front-matter.md':
      '# Front matter\n\nFront matter stands above the text. Two-step login needs `useToken`.\n',
  }).open();
  await index.sync({ embed: false });
  const noticeOf = async (query: string, minConfidence = 0) =>
    (await index.search(query, { mode: 'keyword', minConfidence })).notice;
  expect(await noticeOf(`snapshot of ${'pod'.repeat(500)}`)).toBe(
    `No passage contains “${'pod'.repeat(20)}…”.`,
  );
  expect(await noticeOf('snapshot of Kubernetes pods')).toBe('No passage contains “Kubernetes” or “pods”.');
  expect(await noticeOf('kelp plankton krill coral snapshot')).toBe(
    'No passage contains “kelp”, “plankton”, “krill” or 1 other word of the query.',
  );
  expect(await noticeOf('snapshot taken in 2031 by take_it or Foo.takeAll')).toBe(
    'No passage contains “2031”, “take_it” or “Foo.takeAll”.',
  );
  expect(await noticeOf('kelp OR snapshot')).toMatch(
    /^OR is read as a word\. .* No passage contains “kelp”\.$/,
  );
  expect(await noticeOf('snapshot kelp', 1)).toMatch(
    /^Nothing here .* asked for\. No passage contains “kelp”\.$/,
  );
  const found = [
    'frontmatter',
    'use token',
    'snapshots of databases',
    'snapsh*',
    'the of',
    'v2 snapshot',
    'restore.md',
    'front-matter',
    '数据 snapshot',
  ];
  expect(await Promise.all(found.map((query) => noticeOf(query)))).toEqual(found.map(() => undefined));
});

test('an answer says how to exclude the word after “without”', async () => {
  const index = await createVault(NOTES).open();
  await index.sync({ embed: false });
  const noticeOf = async (query: string) =>
    (await index.search(query, { mode: 'keyword', minConfidence: 0 })).notice;
  expect(await noticeOf('restore other than snapshot')).toBe(
    '“other than snapshot” does not exclude “snapshot”; write -snapshot to exclude it.',
  );
  expect(await noticeOf('restore without css')).toContain('write -"css" to exclude it.');
  for (const sentence of [
    '"stop the writers without snapshot" restore',
    'how restore without snapshot',
    'I want to restore the database without a snapshot',
  ])
    expect((await noticeOf(sentence)) ?? '').not.toContain('exclude');
});

test('an answer says that a short word after a minus is read as a flag, and how to exclude it', async () => {
  const index = await createVault({ ...NOTES, 'tar.md': '# Unpack\n\nRun tar -xzf to unpack it.\n' }).open();
  await index.sync({ embed: false });
  const noticeOf = async (query: string) =>
    (await index.search(query, { mode: 'keyword', minConfidence: 0 })).notice ?? '';
  const flag = /is read as a flag/;
  expect(await noticeOf('tokens -jwt')).toMatch(
    /^-jwt is read as a flag of a command; to exclude the word, write -"jwt"\./,
  );
  expect(await noticeOf('tokens -jwt, hours')).toMatch(flag);
  const others = [
    'tokens -"jwt"',
    'tokens -g',
    'tokens -hour',
    '-jwt option',
    'tokens --jwt',
    'tokens -xz.f',
  ];
  for (const query of [...others, 'unpack -xzf']) expect(await noticeOf(query)).not.toMatch(flag);
});

test('a misspelt word finds what was meant, and the answer says so; a word of the language is left alone', async () => {
  const index = await createVault(NOTES).open();
  await index.sync();
  const ask = (query: string) => index.search(query, { minConfidence: 0, topN: 1, explain: true });
  const misspelt = await ask('snapshto');
  expect(misspelt.hits[0]?.path).toMatch(/^ops\//);
  expect(misspelt.notice).toBe('“snapshto” is read as “snapshot”, because no passage contains “snapshto”.');
  expect(JSON.stringify(misspelt.hits[0]?.explanation)).toContain('snapshto read as snapshot');
  const unsure = await index.search('snapshto', { minConfidence: 1 });
  expect(unsure.hits).toEqual([]);
  const { score } = misspelt.hits[0]!;
  // Who names a threshold wants nothing below it.
  expect(unsure.unsure).toEqual([]);
  expect(unsure.notice).toContain(`has confidence ${shownScore(score)}, below the 1 asked for`);
  expect(unsure.notice).toMatch(
    / “snapshto” is read as “snapshot”, because no passage contains “snapshto”\.$/,
  );
  expect((await index.search('zzqx', { mode: 'keyword' })).notice).toBe('No passage contains “zzqx”.');
  // Two slips away: searched for, but with less weight, and not embedded.
  expect((await ask('snappshoot')).notice).toBe(
    'No passage contains “snappshoot”; words spelt alike were searched for.',
  );
  expect((await index.search('snappshoot', { mode: 'semantic', minConfidence: 0 })).notice).toBe(
    'No passage contains “snappshoot”.',
  );
  expect((await ask('snappshoot zzqx')).notice).toBe('No passage contains “snappshoot” or “zzqx”.');
  expect((await index.search('snapshot', { mode: 'code' })).notice).toMatch(/^No code matches the query\./);
  // `light` is a letter from `night`, and a word.
  expect((await ask('light')).notice).toBe('No passage contains “light”.');
});

test('a phrase that no passage holds is named also if nothing is sure or if a word is unknown', async () => {
  const index = await createVault({ 'a.md': '# Graph view\n\nThe graph view.\n' }).open();
  await index.sync();
  const notice = async (query: string) => (await index.search(query)).notice;
  const relaxed =
    'No passage holds "plankton view"; its words were searched instead. No passage contains “plankton”.';
  const { hits, unsure, notice: told } = await index.search('"plankton view"');
  expect([hits.length, unsure.length, told]).toEqual([0, 1, expect.stringContaining(relaxed)]);
  expect(await notice('"plankton"')).toMatch(/needed\. No passage holds "plankton"; [^.]*\.$/);
  expect(await notice('"plankton view" OR graph')).toContain(relaxed);
  expect(await notice('"graph" "plankton"')).toContain(
    'No passage holds "plankton"; the words of all phrases were searched instead.',
  );
  expect(await notice('"zebra" "plankton"')).toContain(
    'No passage holds "zebra" or "plankton"; the words of all phrases were searched instead.',
  );
  expect(await notice('"graph b" view')).toContain(
    'Most words of one letter are not in the index, so the phrase was searched without “b”.',
  );
  expect(await notice('"graph view" b')).toBeUndefined();
  const half = await createVault({ 'a.md': '# Graph view\n\nThe graph view.\n' }).open();
  await half.sync({ embed: false });
  const first = await half.search('"plankton view"');
  expect(first.notice).toBe(
    `0 of 1 passages have vectors so far; the others are found by words only. ${relaxed}`,
  );
});

test('a search by meaning says that passages without a vector cannot be found, a hybrid one that words find them', async () => {
  const vault = createVault({ 'a.md': '# Graph view\n\nThe graph view.\n' });
  const index = await vault.open();
  await index.sync();
  vault.write('b.md', '# Lanterns\n\nA lantern needs oil.\n');
  await index.sync({ embed: false });
  const notice = async (mode: 'semantic' | 'hybrid') => (await index.search('graph', { mode })).notice;
  const some = '1 of 2 passages have vectors so far; the others';
  expect(await notice('semantic')).toMatch(`${some} cannot be found by meaning yet.`);
  expect(await notice('hybrid')).toMatch(`${some} are found by words only.`);
});

test('of many values of a filter the first are named', async () => {
  const index = await createVault(NOTES).open();
  await index.sync({ embed: false });
  const path = Array.from({ length: 3_000 }, (_, number) => `opz/restore-${number}.md`);
  expect((await index.search('x', { filters: { path } })).notice).toBe(
    'No document passes the filter path:opz/restore-0.md or path:opz/restore-1.md or path:opz/restore-2.md or 2,997 others (nearest: path:ops/restore.md).',
  );
});
