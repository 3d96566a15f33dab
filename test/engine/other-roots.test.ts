/** One folder of an index, asked about other roots than those it holds. */
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

const NOTES = {
  'bread.md': '# Bread\n\nKnead the dough.\n',
  'garden.md': '# Garden\n\nTomatoes want full sun.\n',
  'ski/wax.md': '# Waxing skis\n\nIron the wax into the base.\n',
};

/** A program that uses the library has no command line to type options on. */
const forEverySurface = expect.not.stringMatching(/--[a-z]|DOCFUSE_|`docfuse/);

test('a call for some of the roots of an index is refused, and forgets none of them', async () => {
  const vault = createVault(NOTES);
  const [garden, bread] = [`${vault.folder}/ski`, `${vault.folder}/bread.md`];
  const both = await vault.open({ roots: [garden, bread] });
  await both.sync({ embed: false });
  const one = await vault.open({ roots: [bread] });
  const refusal = {
    code: 'usage',
    message: expect.stringMatching(/holds .*\/ski.*, but only .*bread.md is asked for/),
    remedy: forEverySurface,
  };
  await expect(one.sync({ embed: false })).rejects.toMatchObject(refusal);
  await expect(one.search('wax', { mode: 'keyword' })).rejects.toMatchObject(refusal);
  expect((await both.list()).total).toBe(2);
  expect(await one.sync({ dryRun: true, rebuild: true })).toMatchObject({ added: 1 });
  expect((await both.list()).total).toBe(2);
  expect(await one.sync({ embed: false, rebuild: true })).toMatchObject({ added: 1 });
});

test('a call without folders does not take the working directory for all that is left', async () => {
  const vault = createVault(NOTES);
  const both = await vault.open({ roots: [`${vault.folder}/ski`, `${vault.folder}/bread.md`] });
  await both.sync({ embed: false });
  const here = await vault.open({ roots: undefined, cwd: `${vault.folder}/ski` } as object);
  await expect(here.sync({ embed: false })).rejects.toMatchObject({ code: 'usage' });
  expect((await both.list()).total).toBe(2);
});

test('an index folder given for quite other folders is refused', async () => {
  const [one, other] = [createVault(NOTES), createVault({ 'bread.md': '# Other\n\nSomething else.\n' })];
  await (await one.open()).sync({ embed: false });
  const mistaken = await other.open({ indexPath: one.indexPath });
  await expect(mistaken.sync({ embed: false })).rejects.toThrow(one.folder);
  await expect(mistaken.search('bread')).rejects.toThrow(one.folder);
  await expect(mistaken.search('bread')).rejects.toMatchObject({ remedy: forEverySurface });
});
