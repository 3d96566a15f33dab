/** Fuzz targets: configuration from files, the environment and the command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import fc from 'fast-check';
import { DocfuseError } from '../../src/core/errors.ts';
import { environmentName, environmentSettings } from '../../src/engine/config/config.ts';
import { readConfigs } from '../../src/engine/config/config-file.ts';
import { settingKeys } from '../../src/engine/config/setting-keys.ts';
import { toOpenOptions } from '../../src/surfaces/cli/open-options.ts';
import { readInput } from '../../src/surfaces/cli/options.ts';
import { createProgram, type Runners } from '../../src/surfaces/cli/program.ts';
import { fieldsOf } from '../../src/surfaces/operations/fields.ts';
import { checkInput, type Operation } from '../../src/surfaces/operations/operation.ts';
import { operations } from '../../src/surfaces/operations/operations.ts';
import { MARKS } from './arbitrary-text.ts';
import { type FuzzTarget, fuzzTarget } from './fuzz-target.ts';

const KEYS = [...settingKeys().keys()];
const SECTIONS = [
  'embedding',
  'chunking',
  'search',
  'search.advanced',
  'server',
  'answer',
  '[collections]',
  'x',
];
const VALUES = [
  '1',
  '-1',
  '0.5',
  '1e999',
  'nan',
  'true',
  '"rrf"',
  '"convex"',
  "''",
  '[]',
  '["a"]',
  '{a = 1}',
  '2024-01-01',
  '"dynamic"',
  '""',
  '"../x"',
  '"\\u"',
];

const value = fc.oneof(fc.constantFrom(...VALUES), fc.json({ maxDepth: 1 }), fc.constantFrom(...MARKS));
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...KEYS) },
  fc.constantFrom(...KEYS).map((whole) => whole.slice(whole.lastIndexOf('.') + 1)),
  fc.constantFrom(
    'name',
    'path',
    'include',
    'index_path',
    '__proto__',
    'constructor',
    'serach.top_n',
    'a.b.c',
  ),
  fc.string({ maxLength: 12 }),
);

/** What a failure may be: one of ours, with a sentence and a remedy. */
function complaints(error: unknown): readonly string[] {
  if (!(error instanceof DocfuseError)) throw error;
  const { message, remedy } = error;
  return [message, remedy].flatMap((text) =>
    /\S/.test(text) ? [] : ['an error does not say what is wrong'],
  );
}

const tomlFile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...SECTIONS).map((section) => `[${section}]`),
      {
        weight: 3,
        arbitrary: fc.tuple(key, fc.constantFrom(' = ', '=', ' '), value).map((parts) => parts.join('')),
      },
      fc.constantFrom(...MARKS, '[[collections]]\nname = "a"\npath = "."'),
    ),
    { maxLength: 8 },
  )
  .map((lines) => lines.join('\n'));

export const configFileTarget: FuzzTarget = inFolder('config-file', (folder) =>
  fuzzTarget('config-file', tomlFile, (text) => {
    const file = join(folder, 'docfuse.toml');
    writeFileSync(file, text);
    try {
      readConfigs(folder, file);
      return [];
    } catch (error) {
      return complaints(error);
    }
  }),
);

const variables = fc.dictionary(
  fc.oneof(
    key.map(environmentName),
    fc.constantFrom('DOCFUSE_', 'DOCFUSE_SEARCH_', 'DOCFUSE_SEARCH_TOPN', 'PATH'),
  ),
  fc.oneof(value, fc.string({ maxLength: 20 })),
  { maxKeys: 3 },
);

export const environmentTarget = fuzzTarget('environment', variables, (env) => {
  try {
    environmentSettings(env);
    return [];
  } catch (error) {
    return complaints(error);
  }
});

const FLAGS = [
  '--top-n',
  '-n',
  '--mode',
  '--tag',
  '--where',
  '--after',
  '--before',
  '--set',
  '--json',
  '--index',
  '--config',
  '--no-sync',
  '--depth',
  '--explain',
  '--',
  '-',
  '--no-color',
  '--port',
  '-q',
  '--unknown',
  '--direction',
  '--min-confidence',
  '--hypothesis',
];
const COMMANDS = operations.flatMap(({ name }) => name.split(/[_-]/));
const argument = fc.oneof(
  fc.constantFrom(...FLAGS),
  fc.constantFrom(...COMMANDS, 'search', 'serve', 'mcp', 'eval'),
  fc.constantFrom(
    'words',
    '5',
    '-5',
    '101',
    '1e3',
    'hybrid',
    'a=b',
    '=',
    '7d',
    '2024-02-31',
    'docs',
    '',
    '../..',
    '\u202e',
  ),
  fc.tuple(key, value).map((parts) => parts.join('=')),
  fc.string({ maxLength: 12 }),
);

/** Up to where an operation would run: what was typed is an input, or wrong usage. */
export const flagsTarget = fuzzTarget(
  'flags',
  fc.tuple(fc.constantFrom(...COMMANDS), fc.array(argument, { maxLength: 6 })),
  async ([first, rest]) => {
    const args = [first, ...rest];
    const runners: Runners = {
      async operation({ operation, args: own, options, paths, shared }) {
        toOpenOptions(paths, shared);
        checkInput(
          operation as Operation,
          readInput({ operation, fields: fieldsOf(operation) }, own, options),
        );
      },
      server: async (_, paths, options) => void toOpenOptions(paths, options),
    };
    const program = createProgram(runners, args);
    silence(program);
    try {
      await program.parseAsync(args, { from: 'user' });
      return [];
    } catch (error) {
      return error instanceof CommanderError ? [] : complaints(error);
    }
  },
);

function silence(command: Command): void {
  command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const inner of command.commands) silence(inner);
}

/** A target that needs a place on disk for as long as it runs. */
function inFolder(name: string, make: (folder: string) => FuzzTarget): FuzzTarget {
  return {
    name,
    async run(options) {
      const folder = mkdtempSync(join(tmpdir(), 'docfuse-fuzz-'));
      try {
        await make(folder).run(options);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}
