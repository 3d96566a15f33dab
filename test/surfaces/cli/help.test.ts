/** Pins what a user reads first; run `npx vitest -u` after a deliberate change and read the difference. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterAll, expect, test } from 'vitest';
import { createProgram } from '../../../src/surfaces/cli/program.ts';
import { createPlayground, execute, SOURCE_BIN } from './docfuse.ts';

const playground = createPlayground();
afterAll(() => playground[Symbol.dispose]());
const pin = (name: string) => `../../pins/${name}`;

const nothing = async () => {};
const program = createProgram({ operation: nothing, server: nothing });
const commandsOf = (outer: Command, words: readonly string[] = []): readonly string[] => [
  words.join(' '),
  ...outer.commands.flatMap((inner) => commandsOf(inner, [...words, inner.name()])),
];

test.each(commandsOf(program))('docfuse %s --help', async (command) => {
  const args = [...command.split(' ').filter(Boolean), '--help'];
  const { code, stdout, stderr } = await playground.runHere(args, { env: { COLUMNS: '100' } });
  expect([code, stderr]).toEqual([0, '']);
  await expect(stdout).toMatchFileSnapshot(
    pin(`help${command ? `-${command.replaceAll(' ', '-')}` : ''}.txt`),
  );
});

test.each([
  [['help'], 'help'],
  [['help', 'search'], 'help-search'],
  [['help', 'models', 'rm'], 'help-models-rm'],
])('docfuse %j prints the same', async (args, pinned) => {
  const { code, stdout } = await playground.runHere(args, { env: { COLUMNS: '100' } });
  expect([code, stdout]).toEqual([0, readFileSync(new URL(`${pin(pinned)}.txt`, import.meta.url), 'utf8')]);
});

test.each(['bash', 'zsh', 'fish'])('the completion script for %s', async (shell) => {
  const { code, stdout, stderr } = await playground.runHere(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  await expect(stdout).toMatchFileSnapshot(pin(`completion.${shell}`));
});

test('--version prints the version alone', async () => {
  const { code, stdout } = await playground.runHere(['--version']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('help is as narrow as the terminal', async () => {
  const { stdout } = await playground.runHere(['search', '--help'], { env: { COLUMNS: '60' } });
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
});

test.each([['--help'], ['--version'], ['completion', 'bash']])('%s loads no engine', async (...args) => {
  const trace =
    'data:text/javascript,import { registerHooks } from "node:module";' +
    'registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });';
  const env = { ...playground.env, NODE_OPTIONS: `--import=${encodeURI(trace)}` };
  const { stderr } = await execute([SOURCE_BIN, ...args], { cwd: playground.folder, env });
  expect(stderr).toContain('/surfaces/cli/main.');
  expect(stderr).not.toMatch(/\/adapters\/|engine\/open|onnxruntime|markdown-it|string-width|cli-progress/);
});
