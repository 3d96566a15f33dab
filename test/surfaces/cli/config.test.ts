import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, expect, test } from 'vitest';
import { settingsSchema } from '../../../src/engine/config/settings.ts';
import { configText } from '../../../src/engine/config/write-config.ts';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'project/docfuse.toml': '[search]\ntop_n = 9\n[[collections]]\npath = "docs"\n',
  'project/docs/a.md': '# A\n',
  'empty/x.md': '',
});
const docfuse = (args: string[], env: Readonly<Record<string, string>> = {}) =>
  playground.runHere([...args, '--config', 'project/docfuse.toml'], { env });
afterAll(() => playground[Symbol.dispose]());

test('config prints TOML that holds what is in effect, with where it comes from', async () => {
  const { code, stdout } = await docfuse(['config', '--set', 'fusion=rrf'], {
    DOCFUSE_SEARCH_RECENCY_BIAS: '0.1',
  });
  expect(code).toBe(0);
  const file = join(playground.folder, 'project/docfuse.toml');
  expect(stdout).toContain(`# project: ${file}\n`);
  expect(stdout).toContain(`top_n = 9  # ${file}:2\n`);
  expect(stdout).toContain('fusion = "rrf"  # this call\n');
  expect(stdout).toContain('recency_bias = 0.1  # DOCFUSE_SEARCH_RECENCY_BIAS\n');
  expect(stdout).toContain('rrf_k_constant = 60  # default\n');
  const { index_path, collections, ...settings } = parse(stdout);
  expect(settings.search).toMatchObject({ top_n: 9, fusion: 'rrf', advanced: { min_factor: 0.5 } });
  expect(settingsSchema.safeParse(settings).success).toBe(true);
  expect(collections).toMatchObject([{ name: 'docs', path: join(playground.folder, 'project/docs') }]);
  expect(index_path).toContain(playground.folder);
  const json = JSON.parse((await docfuse(['config', '--json'])).stdout);
  expect(json.settings).toContainEqual({
    key: 'search.top_n',
    value: 9,
    source: 'project',
    where: `${file}:2`,
  });
});

test('config --schema prints the schema that is in the documentation', async () => {
  const { stdout } = await playground.runHere(['config', '--schema']);
  await expect(stdout).toMatchFileSnapshot('../../../docs/reference/docfuse.schema.json');
});

test('where the index lies and what is searched have an origin, too', async () => {
  const origins = async (args: readonly string[], env?: Readonly<Record<string, string>>) => {
    const { stdout } = await playground.runHere(['config', ...args, '--json'], { ...(env && { env }) });
    const { index_path_origin, collections_origin } = JSON.parse(stdout);
    return [index_path_origin, collections_origin];
  };
  playground.write({
    'placed/docfuse.toml': '# here\nindex_path = "../at"\n[[collections]]\npath = "docs"\n',
    'placed/docs/a.md': '# A\n',
  });
  const file = join(playground.folder, 'placed/docfuse.toml');
  const placed = ['--config', 'placed/docfuse.toml'];
  const said = { source: 'project', where: `${file}:3` };
  expect(await origins(placed)).toEqual([{ source: 'project', where: `${file}:2` }, said]);
  const variable = { source: 'environment', where: 'DOCFUSE_INDEX' };
  expect(await origins(placed, { DOCFUSE_INDEX: 'x' })).toEqual([variable, said]);
  expect(await origins([...placed, 'placed/docs', '--index', 'y'])).toEqual([
    { source: 'call' },
    { source: 'call' },
  ]);
  const { stdout } = await playground.runHere(['config', ...placed], { env: { DOCFUSE_INDEX: 'x' } });
  expect(stdout).toMatch(/^index_path = ".*x" {2}# DOCFUSE_INDEX$/m);
  expect(stdout).toContain(`# ${file}:3`);
});

test('config init writes a file that changes nothing, and never over another', async () => {
  const { code, stdout } = await playground.runHere(['config', 'init', 'empty']);
  expect([code, stdout]).toEqual([0, `${join(playground.folder, 'empty/docfuse.toml')}\n`]);
  const again = await playground.runHere(['config', 'init', 'empty']);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already')]);
  expect((await playground.runHere(['config', 'init', 'nowhere'])).stderr).toContain('cannot be written');
  expect((await playground.runHere(['config', '--config', 'empty/docfuse.toml', '--json'])).code).toBe(0);
  const {
    index_path: _,
    collections: __,
    ...settings
  } = parse(configText().replaceAll(/^# (\w+ = )/gm, '$1'));
  expect(settingsSchema.parse(settings)).toEqual(settingsSchema.parse({}));
});
