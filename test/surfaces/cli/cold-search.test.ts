import { afterAll, expect, test } from 'vitest';
import { createPlayground, execute, SOURCE_BIN } from './docfuse.ts';

const playground = createPlayground({ 'notes/a.md': '# Lanterns\n\nA lantern burns in the rain.\n' });
afterAll(() => playground[Symbol.dispose]());

/** Packages that the bundle of the command contains. */
const BUNDLED = ['@noble', 'commander', 'picocolors', 'smol-toml', 'zod'];

const TRACE =
  'data:text/javascript,import { registerHooks } from "node:module";' +
  'registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });';

test('a search by words loads no packages while the files are unchanged', async () => {
  const args = [SOURCE_BIN, 'search', 'lantern', 'notes', '--mode', 'keyword'];
  const packagesOf = async () => {
    const env = { ...playground.env, NODE_OPTIONS: `--import=${encodeURI(TRACE)}` };
    const { stdout, stderr } = await execute(args, { cwd: playground.folder, env });
    expect(stdout).toContain('burns in the rain');
    return new Set([...stderr.matchAll(/\/node_modules\/(@?[^/]+)/g)].map(([, name]) => name!));
  };
  expect(await packagesOf()).toContain('markdown-it');
  expect([...(await packagesOf())].filter((name) => !BUNDLED.includes(name))).toEqual([]);
});
