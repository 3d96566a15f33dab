/** One folder of an index, asked about other roots than those it holds. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('a folder that the index does not hold must exist before it is read', async () => {
  const vault = createVault(NOTES);
  const nowhere = join(vault.folder, '../nowhere');
  await (await vault.open()).sync({ embed: false });
  const both = await vault.open({ roots: [vault.folder, nowhere] });
  const refusal = { code: 'not_found', message: expect.stringContaining(nowhere) };
  for (const how of [{}, { dryRun: true }, { rebuild: true }, { dryRun: true, rebuild: true }])
    await expect(both.sync({ embed: false, ...how })).rejects.toMatchObject(refusal);
  // A search reads no folder, so a server answers until a drive that was never read is there.
  expect((await both.search('dough', { mode: 'keyword' })).hits[0]?.path).toBe('bread.md');
  const { index } = await (await vault.open()).status();
  expect(index).not.toHaveProperty('lastError');
  mkdirSync(nowhere);
  writeFileSync(`${nowhere}/oven.md`, '# Oven\n');
  expect(await both.sync({ embed: false })).toMatchObject({ added: 1 });
  rmSync(nowhere, { recursive: true });
  expect((await both.sync({ embed: false })).warnings).toMatchObject([
    { message: expect.stringMatching(/stay/) },
  ]);
  const rebuilt = await both.sync({ embed: false, rebuild: true });
  expect(rebuilt.warnings).toMatchObject([{ message: expect.not.stringMatching(/stay/) }]);
  expect((await both.list()).total).toBe(3);
});

test('after a first run that was stopped, all folders must exist', async () => {
  const vault = createVault(NOTES);
  const stopped = await vault.open();
  await expect(stopped.sync({ signal: AbortSignal.timeout(0) })).rejects.toBeDefined();
  const both = await vault.open({ roots: [vault.folder, join(vault.folder, '../nowhere')] });
  await expect(both.sync({ embed: false })).rejects.toMatchObject({ code: 'not_found' });
});
