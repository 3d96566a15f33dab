/** No option of every command is accepted and ignored: each either does what it says or is refused, in every command. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute } from '../../../src/surfaces/cli/execute.ts';
import { createProgram } from '../../../src/surfaces/cli/program.ts';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'docs/alpha.md': '# Alpha\n\nTokens are rotated.\n',
  'set/queries.jsonl': Array.from({ length: 10 }, (_, id) => `{"_id":"${id}","text":"tokens"}\n`).join(''),
  'set/qrels.tsv': `query-id\tcorpus-id\tscore\n${Array.from({ length: 10 }, (_, id) => `${id}\talpha.md\t1\n`).join('')}`,
});
beforeAll(() => playground.runHere(['index', 'docs']));
afterAll(() => playground[Symbol.dispose]());
const docs = join(playground.folder, 'docs');
const set = join(playground.folder, 'set');

interface Typed {
  readonly args: readonly string[];
  /** Shared options that it refuses. */
  readonly refuses?: readonly string[];
  /** What carries it out, where not the table of operations. */
  readonly runner?: 'serve' | 'open' | 'mcp' | 'worker' | 'shell';
}

const STANDALONE = { refuses: ['--index', '--config', '--set', '--no-server'] };
const MODEL = ['--set', 'answer.base_url=http://127.0.0.1:9/v1', '--set', 'answer.model=none'];

/** Every command, as short as it can be typed. */
const COMMANDS: Readonly<Record<string, Typed>> = {
  search: { args: ['tokens', docs] },
  ask: { args: ['tokens', docs, ...MODEL] },
  index: { args: [docs] },
  read: { args: ['alpha.md', docs] },
  related: { args: ['alpha.md', docs] },
  list: { args: [docs] },
  'list tags': { args: [docs] },
  'list collections': { args: [docs] },
  'list judged': { args: [docs] },
  graph: { args: [docs] },
  map: { args: [docs] },
  status: { args: [docs] },
  audit: { args: [docs] },
  export: { args: [join(playground.folder, 'site'), docs] },
  doctor: { args: [docs] },
  formats: { args: [], ...STANDALONE },
  config: { args: [docs] },
  'config --schema': { args: [], ...STANDALONE },
  'config init': { args: ['.'], ...STANDALONE },
  judge: { args: ['tokens', docs, '--grades', '2'] },
  eval: { args: [set, '--docs', docs, '--modes', 'keyword'] },
  tune: { args: [set, '--docs', docs] },
  indexes: { args: [], ...STANDALONE },
  'indexes rm': { args: ['nowhere'], ...STANDALONE },
  add: { args: ['http://127.0.0.1:9/'], ...STANDALONE },
  sites: { args: [], ...STANDALONE },
  'sites rm': { args: ['http://127.0.0.1:9/'], ...STANDALONE },
  'models list': { args: [], ...STANDALONE },
  'models pull': { args: ['org/name', '--offline'], ...STANDALONE },
  'models rm': { args: ['org/name'], ...STANDALONE },
  'models path': { args: [], ...STANDALONE },
  mcp: { args: [docs], refuses: ['--json'], runner: 'mcp' },
  'mcp install': { args: [docs, '--client', 'cursor'] },
  serve: { args: [docs], refuses: ['--no-server'], runner: 'serve' },
  open: { args: [docs], refuses: ['--no-server'], runner: 'open' },
  worker: { args: [], refuses: ['--no-server', '--json'], runner: 'worker' },
  version: { args: [], refuses: [...STANDALONE.refuses, '--json'], runner: 'shell' },
  completion: { args: ['bash'], refuses: [...STANDALONE.refuses, '--json'], runner: 'shell' },
};
const CASES = Object.entries(COMMANDS);

const SHARED: Readonly<Record<string, readonly string[]>> = {
  '--index': [join(docs, 'inside')],
  '--config': [join(playground.folder, 'nowhere.toml')],
  '--set': ['nosuch=1'],
  '--no-server': [],
  '--json': [],
  '--quiet': [],
  '--debug': [],
  '--color': ['never'],
  '--no-color': [],
};

const idle = async () => {};
const interrupt = { signal: AbortSignal.timeout(60_000), expect() {}, exitCode: () => undefined };
const wordsOf = (command: Command): string =>
  command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
const allIn = (outer: Command): readonly Command[] => [outer, ...outer.commands.flatMap(allIn)];

function createCommands(): Command {
  const operation = async (invocation: Parameters<typeof execute>[0]) =>
    void (await execute(invocation, interrupt));
  return createProgram({ operation, server: idle });
}

const type = (command: string, { args }: Typed, flag: string) => [
  ...command.split(' '),
  ...args,
  ...[flag, ...SHARED[flag]!],
];
const run = (command: string, typed: Typed, flag: string) =>
  createCommands().parseAsync(type(command, typed, flag), { from: 'user' });

test('all commands and all shared options are in the tables', () => {
  const program = createCommands();
  const acting = allIn(program).filter((command) => command !== program && command.name() !== 'models');
  expect(Object.keys(COMMANDS).sort()).toEqual([...acting.map(wordsOf), 'config --schema'].sort());
  const flags = program.options.map(({ long }) => long).filter((flag) => flag !== '--version');
  expect(Object.keys(SHARED)).toEqual(flags);
});

const REFUSED = CASES.flatMap(([command, typed]) =>
  (typed.refuses ?? []).map((flag) => ({ command, typed, flag })),
);

test.each(REFUSED)('docfuse $command takes no $flag', async ({ command, typed, flag }) => {
  await expect(run(command, typed, flag)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(`docfuse ${command} takes no ${flag}: `),
    remedy: `Leave ${flag} out.`,
  });
  const shown = allIn(createCommands()).find((each) => wordsOf(each) === command);
  expect(shown?.helpInformation() ?? '').not.toContain(` ${flag} `);
});

test('paths that choose nothing are refused, too', async () => {
  await expect(run('config --schema', { args: [docs] }, '--quiet')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(`docfuse config --schema takes no ${docs}: `),
  });
});

/** What each of those that choose an index does where it is wrong. */
const WRONG = {
  '--index': { code: 'usage', message: expect.stringContaining('would lie among the documents') },
  '--config': { message: expect.stringContaining('nowhere.toml') },
  '--set': { code: 'usage', message: 'There is no setting nosuch.' },
};
/** Those that tell of what is wrong in place of failing over it. */
const TELLING: ReadonlySet<string> = new Set(['config --index', 'doctor --index', 'doctor --config']);

const HEEDED = CASES.flatMap(([command, typed]) =>
  Object.entries(WRONG)
    .filter(([flag]) => !typed.refuses?.includes(flag) && typed.runner === undefined)
    .map(([flag, failure]) => ({ command, typed, flag, failure })),
);

test.each(HEEDED)('docfuse $command heeds $flag', async ({ command, typed, flag, failure }) => {
  if (!TELLING.has(`${command} ${flag}`))
    return expect(run(command, typed, flag)).rejects.toMatchObject(failure);
  const { stdout } = await playground.runHere(type(command, typed, flag));
  expect(stdout).toContain(SHARED[flag]![0]);
});

test.each([
  ['serve', '--config'],
  ['serve', '--set'],
  ['serve', '--index'],
  ['mcp', '--config'],
  ['mcp', '--set'],
])('docfuse %s heeds %s, --debug and --no-color', async (command, flag) => {
  const args = [...type(command, COMMANDS[command]!, flag), '--debug', '--no-color'];
  const { code, stdout, stderr } = await playground.runHere(args, { env: { FORCE_COLOR: '1' } });
  expect([code, stdout]).toEqual([expect.any(Number), '']);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/^error: .*\n.*\n(.*\n)* {4}at /);
});

test.each(
  CASES.filter(
    ([command, { runner }]) =>
      (runner === undefined || runner === 'shell') &&
      !/^(ask|add|tune|models (pull|rm)|indexes rm|sites rm)$/.test(command),
  ),
)('docfuse %s prints its answer alone under --quiet and --json', async (command, typed) => {
  const json = typed.refuses?.includes('--json') ? [] : ['--json'];
  const { code, stdout, stderr } = await playground.runHere([...type(command, typed, '--quiet'), ...json]);
  expect([code, stderr], `${stdout}${stderr}`).toEqual([0, '']);
  if (json.length > 0) expect(JSON.parse(stdout)).toEqual(expect.any(Object));
});
