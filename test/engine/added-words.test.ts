/** Joined names and synonyms: they count where they are all of the query that a text holds. */
import { expect, test } from 'vitest';
import type { SettingsOverride } from '../../src/engine/api.ts';
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
  const vault = createVault(NOTES);
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
  expect(observed('ln(1 + terms of the query)')).toBeCloseTo(Math.log(3), 12);
});
