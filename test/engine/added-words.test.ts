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
