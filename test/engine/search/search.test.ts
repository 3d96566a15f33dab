import { expect, test } from 'vitest';
import { shownScore } from '../../../src/core/text/format-numbers.ts';
import { PACKAGED_MODEL } from '../../../src/engine/config/settings.ts';
import type { Filters } from '../../../src/engine/filters.ts';
import { createVault } from '../vault.ts';

const NOTES = {
  'auth/tokens.md':
    '---\ntitle: Access tokens\ntags: [auth]\n---\n\n# Access tokens\n\nTokens expire after an hour.\n\n## Rotation\n\nCall `rotateToken()` before a token expires; the old one stays valid for five minutes.\n',
  'auth/passwords.md': '# Passwords\n\nPasswords are hashed with argon2 and never stored in the clear.\n',
  'ops/backup.md': '# Backups\n\nA snapshot of the database is taken every night and kept for thirty days.\n',
  'ops/restore.md': '# Restoring\n\nPick a snapshot, stop the writers, then run the restore script.\n',
};

test('finds by meaning without a shared word, with exact lines', async () => {
  const index = await createVault(NOTES, PACKAGED_MODEL).open();
  await index.sync();
  const { hits, notice } = await index.search('how are login secrets protected', {
    topN: 1,
    minConfidence: 0,
  });
  expect(hits[0]).toMatchObject({ path: 'auth/passwords.md', startLine: 1, endLine: 3, rank: 1 });
  // Who reads a hit that is not surely right should know that it does not say these words.
  expect(notice).toBe('No passage contains “login”, “secrets” or “protected”.');
});

test('a passage that shows a reader nothing is no hit, unless its document has nothing else', async () => {
  const filler = 'Something else altogether is said here, at some length. '.repeat(30);
  const vault = createVault({
    'lanterns.md': `# Lanterns\n\n${filler}\n\n# Sources\n\n${filler}\n\n[zymurgy]: https://example.org\n`,
    'links.md': `${'[zymurgy]: https://example.org/zymurgy\n'.repeat(60)}\n# Words\n\n${filler}`,
    'zymurgy-map.md': '![](zymurgy.png)\n',
    'alt.md': '![A zymurgy diagram](a.png)\n',
  });
  for (const fusion of ['convex', 'rrf'] as const) {
    await using index = await vault.open({ settings: { search: { fusion } } });
    await index.sync();
    for (const mode of ['hybrid', 'keyword', 'semantic'] as const) {
      const options = { mode, minConfidence: 0, topN: 50, parents: false };
      const { hits } = await index.search('zymurgy', options);
      const bare = hits.filter(({ text }) => !/\p{L}/u.test(text.replace(/^\[.*$|!\[\]\(.*$/gmu, '')));
      expect(bare.map(({ path }) => path).filter((path) => path !== 'zymurgy-map.md')).toEqual([]);
      expect(hits.map(({ path }) => path)).toEqual(expect.arrayContaining(['alt.md', 'zymurgy-map.md']));
    }
  }
});

test('the first n of a longer answer are the answer for n, scores never rise, ids are unique', async () => {
  const index = await createVault(NOTES).open();
  await index.sync();
  for (const mode of ['hybrid', 'keyword', 'semantic', 'code'] as const) {
    const long = await index.search('rotate the token snapshot', { mode, topN: 10, minConfidence: 0 });
    const short = await index.search('rotate the token snapshot', { mode, topN: 2, minConfidence: 0 });
    expect(short.hits).toEqual(long.hits.slice(0, 2));
    expect(new Set(long.hits.map((hit) => hit.chunkId)).size).toBe(long.hits.length);
    const scores = long.hits.map((hit) => hit.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
  }
});

test('the order in which files were indexed does not matter', async () => {
  const forward = createVault(NOTES);
  const backward = createVault({});
  const [a, b] = [await forward.open(), await backward.open()];
  await a.sync();
  for (const [path, text] of Object.entries(NOTES).reverse()) {
    backward.write(path, text);
    await b.sync();
  }
  const all = { topN: 20, minConfidence: 0 };
  const strip = (answer: Awaited<ReturnType<typeof a.search>>) =>
    answer.hits.map(({ path, chunkId, score }) => ({ path, chunkId, score: score.toFixed(6) }));
  for (const query of ['token', 'how do I get my data back', 'rotateToken']) {
    expect(strip(await b.search(query, all))).toEqual(strip(await a.search(query, all)));
  }
});

test('both fusions put the passage that has it all first, and explain their sums', async () => {
  const vault = createVault(NOTES);
  const first = await vault.open();
  await first.sync();
  await first.close();
  for (const fusion of ['convex', 'rrf'] as const) {
    const index = await vault.open({ settings: { search: { fusion } } });
    const { hits } = await index.search('token rotation', { explain: true, minConfidence: 0 });
    expect(hits[0]?.path).toBe('auth/tokens.md');
    const fused = hits[0]?.explanation?.parts?.find((part) => part.label === 'fused');
    const sum = fused?.parts?.reduce((total, part) => total + part.value * (part.weight ?? 1), 0);
    expect(sum).toBeCloseTo(fused?.value ?? Number.NaN, 9);
    await index.close();
  }
});

test('an absolute path means the file or folder it names, under either root', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  await index.sync({ embed: false });
  const found = async (path: string, query = 'the') =>
    (
      await index.search(query, { mode: 'keyword', minConfidence: 0, topN: 9, filters: { path: [path] } })
    ).hits
      .map((hit) => hit.path)
      .sort();
  expect(await found(`${vault.folder}/ops`)).toEqual(['ops/backup.md', 'ops/restore.md']);
  expect(await found(`${vault.folder}/ops/*.md`)).toEqual(['ops/backup.md', 'ops/restore.md']);
  expect(await found(`${vault.folder}/ops/backup.md`)).toEqual(['ops/backup.md']);
  expect(await found(vault.folder)).toHaveLength(4);
  expect(await found('/somewhere/else')).toEqual([]);
  const typed = await index.search(`snapshot path:${vault.folder}/auth`, { mode: 'keyword' });
  expect(typed.hits).toEqual([]);
});

test('filters alone give the first passage of every document they let through, newest first, all sure', async () => {
  const vault = createVault(NOTES);
  const index = await vault.open();
  vault.write('ops/backup.md', NOTES['ops/backup.md']);
  await index.sync({ embed: false });
  const { hits, notice, queryType, stats } = await index.search('path:ops/', { explain: true });
  expect(hits.map(({ path, score, startLine }) => [path, score, startLine])).toEqual([
    ['ops/backup.md', 1, 1],
    ['ops/restore.md', 1, 1],
  ]);
  expect(notice).toBeUndefined();
  expect(queryType).toBeUndefined();
  expect(stats).toMatchObject({ originalCount: 2, afterThreshold: 2, afterDocumentLimit: 2 });
  expect(hits[0]?.explanation).toMatchObject({
    value: 1,
    parts: [{ label: 'passes the filters', value: 1 }],
  });
  const paths = async (...ask: Parameters<typeof index.search>) =>
    (await index.search(...ask)).hits.map((hit) => hit.path);
  expect(await paths('tag:auth')).toEqual(['auth/tokens.md']);
  expect(await paths('', { filters: { path: ['auth'] }, topN: 1 })).toEqual(['auth/passwords.md']);
  expect(await paths('path:ops/ -snapshot')).toEqual([]);
  expect(await paths('path:auth/ -argon2', { mode: 'semantic' })).toEqual(['auth/tokens.md']);
});

test('documents from before 1970 and from the future are found, filtered and dated', async () => {
  const index = await createVault({
    'old.md': '---\ndate: 1066-10-14\n---\n# Hastings\n\nA battle on a hill.\n',
    'far.md': '---\ndate: 9999-12-31\n---\n# Prophecy\n\nA battle in the sky.\n',
    'odd.md': '---\ndate: 0000-00-00\ntags: 7\ntitle: [x]\n---\n\nA battle of wits.\n',
  }).open();
  await index.sync({ embed: false });
  const ask = (filters: Filters) => index.search('battle', { mode: 'keyword', minConfidence: 0, filters });
  const dates = (await ask({})).hits.map(({ path, modified }) => [path, modified.slice(0, 4)]);
  expect(dates).toContainEqual(['old.md', '1066']);
  expect(dates).toContainEqual(['far.md', '9999']);
  expect(dates).toHaveLength(3);
  const paths = async (filters: Filters) => (await ask(filters)).hits.map(({ path }) => path);
  expect(await paths({ before: 0 })).toEqual(['old.md']);
  expect(await paths({ after: Date.UTC(2999, 0) })).toEqual(['far.md']);
  expect(await paths({ tag: ['7'] })).toEqual(['odd.md']);
});

test('a filter that nothing passes is named with the nearest that something does', async () => {
  const fields = 'tags: [recipes, dinner/soup]\nauthor: Ann Lee, Bob\ncategory: food';
  const vault = createVault({ 'a.md': `---\n${fields}\n---\n# Soup\n\n\`\`\`python\nboil()\n\`\`\`\n` });
  const index = await vault.open();
  await index.sync({ embed: false });
  const filters = { tag: ['#recipe', 'diner'], category: ['fod'], author: ['Bop'], lang: ['pyton'] };
  expect((await index.search('soup', { filters })).notice).toBe(
    'No document passes the filter tag:#recipe or tag:diner (nearest: tag:recipes or tag:dinner), ' +
      'category:fod (nearest: category:food), author:Bop (nearest: author:Bob), lang:pyton (nearest: lang:python).',
  );
});

test('when nothing passes, the notice names the filter', async () => {
  const index = await createVault(NOTES).open();
  await index.sync({ embed: false });
  const notice = async (...ask: Parameters<typeof index.search>) => (await index.search(...ask)).notice;
  expect(await notice('snapshot tag:none path:ops/')).toBe('No document passes the filter tag:none.');
  expect(await notice('tag:auth path:ops/')).toBe('No document passes all the filters path:ops/, tag:auth.');
  expect(await notice('x', { filters: { after: Date.UTC(2100, 0), where: { state: 'a b' } } })).toBe(
    'No document passes the filter after 2100-01-01, state="a b".',
  );
  expect(await notice('token lang:cobol')).toBe('No document passes the filter lang:cobol.');
  const contrary = { after: Date.UTC(2026, 0), before: Date.UTC(2025, 0) };
  expect(await notice('token', { filters: contrary })).toBe(
    'No document passes the filter after 2026-01-01 and before 2025-01-01.',
  );
  expect(await notice('title:zebra')).toBe('No document has title:zebra.');
  expect(await notice('title:tokens -title:tokens')).toBe(
    'No document has title:tokens and passes the exclusions.',
  );
  const deep = createVault({ 'guides/user/recipes/soup.md': '# Soup\n', 'guides/b.md': '# B\n' });
  const cooking = await deep.open();
  await cooking.sync({ embed: false });
  const filters = { path: ['user/recipes/'] };
  expect((await cooking.list({ filters })).notice).toContain('(nearest: path:guides/user/recipes).');
});

test('a phrase that only filters or exclusions keep away is not said to be nowhere', async () => {
  const index = await createVault({ 'a.md': '# Graph view\n\nThe graph view.\n', 'b.md': '# Pie\n' }).open();
  await index.sync({ embed: false });
  const notice = async (query: string) => (await index.search(query, { mode: 'keyword' })).notice;
  const kept = 'No passage that passes the filters and exclusions holds "graph view"; its words were';
  expect(await notice('"graph view" -"graph view"')).toContain(kept);
  expect(await notice('"graph view" path:b.md')).toContain(kept);
  expect(await notice('"view graph"')).toContain('No passage holds "view graph"; its words were');
});

test('nothing is sure of a query of stop words', async () => {
  const index = await createVault({
    ...NOTES,
    'a.md': '# How\n\nHow do I bake, and what is the dough?\n',
  }).open();
  await index.sync();
  for (const mode of ['hybrid', 'keyword'] as const) {
    const { hits, unsure } = await index.search('how do I', { mode });
    expect([hits, unsure[0]?.path]).toEqual([[], 'a.md']);
    // No passage holds this phrase.
    expect((await index.search('"is I do how"', { mode })).hits).toEqual([]);
  }
});

test('the weights of an answer are those its scores were added up with', async () => {
  const index = await createVault(NOTES).open();
  await index.sync();
  const { hits, weights } = await index.search('rotate tokens', { explain: true, minConfidence: 0 });
  const fused = hits[0]?.explanation?.parts?.find(({ label }) => label === 'fused');
  const explained = Object.fromEntries(fused?.parts?.map(({ label, weight }) => [label, weight]) ?? []);
  expect(Object.keys(weights).length).toBeGreaterThan(3);
  for (const [lane, weight] of Object.entries(weights)) expect(explained[lane]).toBeCloseTo(weight, 10);
  expect(Object.values(weights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 10);
});

test('expansion without a vocabulary says so', async () => {
  const vault = createVault(NOTES);
  const plain = await vault.open();
  await plain.sync();
  const index = await vault.open({ settings: { search: { query_expansion_enabled: true } } });
  expect((await index.search('token')).notice).toContain('not expanded');
  await index.sync();
  expect((await index.search('token')).notice).toBeUndefined();
});

test('an empty query, and one that matches nothing, give no hits and no error', async () => {
  const index = await createVault(NOTES).open();
  await index.sync();
  expect((await index.search('')).hits).toEqual([]);
  expect((await index.search('   -x "')).hits).toEqual([]);
  expect((await index.search('xyzzyplugh', { mode: 'keyword' })).hits).toEqual([]);
});

test('before vectors are made, words answer and the notice says so', async () => {
  const index = await createVault(NOTES).open();
  await index.sync({ embed: false });
  const { hits, notice, weights } = await index.search('nightly snapshot of the database');
  expect(hits[0]?.path).toBe('ops/backup.md');
  expect(notice).toContain('0 of');
  expect(weights.semantic).toBeUndefined();
});

test('nothing in the index, nothing through the filters, nothing above the threshold: the notice says which', async () => {
  const vault = createVault({});
  const index = await vault.open();
  await index.sync();
  expect((await index.search('anything')).notice).toMatch(
    /^The index holds no documents; docfuse formats lists the kinds of files that are read; /,
  );
  vault.write('a.md', '# Cooking\n\nSimmer the broth.\n');
  await index.sync();
  expect((await index.search('broth', { filters: { tag: ['none'] } })).notice).toContain(
    'No document passes the filter tag:none.',
  );
  const unsure = await index.search('quantum chromodynamics');
  expect(unsure.notice).toMatch(
    /^Nothing here surely answers this: the best passage has confidence 0\.[012]\d, below the 0\.24 needed\. No passage contains “quantum” or “chromodynamics”\.$/,
  );
  expect(unsure.hits).toEqual([]);
  expect(unsure.unsure).toMatchObject([{ path: 'a.md', title: 'Cooking', rank: 1 }]);
  expect(unsure.notice).toContain(` ${shownScore(unsure.unsure[0]!.score)}, `);
  expect((await index.search('broth')).unsure).toEqual([]);
});

test('a search may choose a preset over the settings the index was opened with', async () => {
  const vault = createVault(NOTES);
  await using index = await vault.open({ settings: { search: { top_n: 1 } } });
  await index.sync({ embed: false });
  const ratio = async (preset?: 'api' | 'general') => {
    const options = { minConfidence: 0, ...(preset && { preset }) };
    const { weights } = await index.search('rotate `rotateToken()`', options);
    return weights.code! / weights.keyword!;
  };
  const plain = await ratio();
  expect(await ratio('api')).toBeCloseTo((plain * 2) / 1.5, 6);
  expect(await ratio('general')).toBe(plain);
  expect(
    (await index.search('token', { mode: 'keyword', minConfidence: 0, preset: 'research' })).hits,
  ).toHaveLength(1);
});
