/** Help is what the reference shows of it, which `npm run generate` writes; read the difference after a deliberate change. */
import type { Command } from 'commander';
import { afterAll, expect, test } from 'vitest';
import { createProgram } from '../../../src/surfaces/cli/program.ts';
import { readProjectFile } from '../../repo/project-files.ts';
import { createPlayground, execute, SOURCE_BIN } from './docfuse.ts';

const playground = createPlayground();
afterAll(() => playground[Symbol.dispose]());

/** The whole help, then that of each command under its heading. */
const shown = new Map(
  readProjectFile('docs/reference/commands.md')
    .split('\n## ')
    .map((section, i) => [
      i === 0 ? '' : section.split('\n', 1)[0]!,
      `${/```text\n([\s\S]*?)\n```/.exec(section)?.[1]}\n`,
    ]),
);

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
  expect(stdout).toBe(shown.get(command));
});

test.each([
  ['help', ''],
  ['help search', 'search'],
  ['help models rm', 'models rm'],
])('docfuse %s prints the same', async (args, command) => {
  const { code, stdout } = await playground.runHere(args.split(' '), { env: { COLUMNS: '100' } });
  expect([code, stdout]).toEqual([0, shown.get(command)]);
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
