/** Joined names, words written apart, short forms and synonyms: they count where they are all of the query that a text holds. */
import { expect, test } from 'vitest';
import type { SettingsOverride } from '../../src/engine/api.ts';
import { PACKAGED_MODEL } from '../../src/engine/config/settings.ts';
import { createVault } from './vault.ts';

const NOTES = {
  'steps.md': '# Steps\n\nThe preprocessing runs first.\n',
  'street.md': '# Street\n\nAn automobile is parked outside.\n',
  'dough.md': '# Dough\n\nKnead the dough for ten minutes.\n',
};

test.each([
  // A name stands for both words, a synonym for its share of one.
  ['pre processing', 'steps.md', {}, 1],
  ['car', 'street.md', { synonyms_enabled: true }, 0.3],
])('“%s” is found by words', async (query, path, search: SettingsOverride['search'], factor) => {
  const vault = createVault(NOTES, PACKAGED_MODEL);
  const weigh = async (coverage_weights_enabled: boolean) => {
    const settings = { search: { ...search, advanced: { coverage_weights_enabled } } };
    await using index = await vault.open({ settings });
    await index.sync();
    const { hits, weights } = await index.search(query, { minConfidence: 0 });
    expect(hits[0]?.path).toBe(path);
    return weights.keyword! / weights.semantic!;
  };
  expect((await weigh(true)) / (await weigh(false))).toBeCloseTo(factor, 6);
});

test('by words alone a joined name is shown, and the query is no longer for it', async () => {
  const others = Array.from({ length: 20 }, (_, place) => [
    `${place}.md`,
    `# Loaf ${place}\n\nKnead and bake it.\n`,
  ]);
  const vault = createVault({
    'images.md': '# Preprocessing of images\n\nCrop them first.\n',
    ...Object.fromEntries(others),
  });
  await using index = await vault.open();
  await index.sync({ embed: false });
  const { hits } = await index.search('pre processing', { mode: 'keyword', explain: true });
  expect(hits.map(({ path }) => path)).toEqual(['images.md']);
  const observed = (label: string) =>
    hits[0]?.explanation?.parts?.flatMap(function find(part): number[] {
      return [...(part.label === label ? [part.value] : []), ...(part.parts ?? []).flatMap(find)];
    })[0];
  expect(observed('share of the query’s idf matched')).toBe(1);
  expect(observed('terms of the query')).toBe(2);
});

test('a question in which two words stand next to each other by chance does not ask for the name they make', async () => {
  const vault = createVault({
    'onenote.md': '# OneNote\n\nOneNote can be left behind.\n',
    'links.md': '# Links\n\nA link leads from this note to one that is named in it.\n',
    ...NOTES,
  });
  await using index = await vault.open();
  await index.sync({ embed: false });
  const first = async (query: string) =>
    (await index.search(query, { mode: 'keyword', minConfidence: 0 })).hits[0]?.path;
  expect(await first('how do I link one note to another?')).toBe('links.md');
  expect(await first('how to link one note to another')).toBe('links.md');
  expect(await first('one note')).toBe('onenote.md');
});

test('a word written apart and a short form are found by words, until the text that says what it stands for is gone', async () => {
  const filler = Array.from({ length: 9 }, (_, place) => [
    `${place}.md`,
    `# Loaf ${place}\n\nKnead and bake it.\n`,
  ]);
  const vault = createVault({
    'header.md': '# Header\n\nEvery page begins with front matter in YAML.\n',
    'terms.md': '# Terms\n\nAn Architecture Decision Record (ADR) is short.\n',
    'kafka.md': '# Kafka\n\nIts architecture decision record is old.\n',
    'queue.md': '# Queue\n\nThe ADR names three brokers.\n',
    ...Object.fromEntries(filler),
  });
  await using index = await vault.open();
  const found = async (query: string) => {
    const { hits } = await index.search(query, { mode: 'keyword' });
    return hits.map(({ path }) => path).sort();
  };
  await index.sync({ embed: false });
  expect(await found('frontmatter')).toEqual(['header.md']);
  expect(await found('ADR')).toEqual(['kafka.md', 'queue.md', 'terms.md']);
  expect(await found('architecture decision record')).toEqual(['kafka.md', 'queue.md', 'terms.md']);
  vault.remove('terms.md');
  await index.sync({ embed: false });
  expect(await found('ADR')).toEqual(['queue.md']);
  await using plain = await vault.open({ settings: { search: { name_forms_enabled: false } } });
  expect((await plain.search('frontmatter', { mode: 'keyword' })).hits).toEqual([]);
});
