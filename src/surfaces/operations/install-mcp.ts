/** Operation `mcp_install`: what to write into an assistant's configuration so that it starts `docfuse mcp`. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { OpenOptions } from '../../engine/api.ts';
import type { Config } from '../../engine/config/config.ts';
import { embeddingTraits } from '../../engine/config/embedding-traits.ts';
import { ASSISTANT_NAMES, ASSISTANTS } from '../assistants/clients.ts';
import { defineOperation, type OperationContext } from './operation.ts';
import { flag } from './shapes.ts';

/** The script that starts docfuse. Its path relative to this file is the same in the sources and in the build. */
const BIN = fileURLToPath(new URL('../../../bin/docfuse.js', import.meta.url));

/** Environment variables that set the folders where docfuse keeps its configuration, indexes, pulled models and server key. */
const PLACES = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'] as const;

export const installMcp = defineOperation({
  name: 'mcp_install',
  summary: 'Print what to write into an assistant’s configuration',
  description:
    'With --write, writes it into the file. Other servers and settings stay; a JSON file with comments is not changed.',
  input: () => ({
    client: z.enum(ASSISTANT_NAMES).describe('Which assistant.'),
    name: z
      .string()
      .regex(/^[\w-]+$/, 'letters, digits, - and _ only')
      .default('docfuse')
      .describe('Name of this server in the file (default: docfuse).'),
    write: flag('Write the entry into the file.'),
  }),
  output: () => ({
    client: z.string().describe('Title of the assistant.'),
    file: z.string().describe('Its configuration file.'),
    configuration: z.string().describe('Entry of the server, in the format of the file.'),
    outcome: z.enum(['printed', 'written', 'unchanged', 'refused']),
    reason: z.string().optional().describe('Why the file was not changed.'),
  }),
  readOnly: false,
  cli: { command: ['mcp', 'install'], paths: true },
  async run({ options, tell }, { client, name, write }) {
    const { homedir } = await import('node:os');
    const { configurationText, mergeConfiguration, readIfThere, replaceFile } = await import(
      '../assistants/configuration.ts'
    );
    const assistant = ASSISTANTS[client];
    const { platform, env } = process;
    const args = [BIN, ...(await argumentsFor(options, tell))];
    const note = await noteSecondIndex(options, `docfuse mcp install --client ${client}`);
    if (note) tell?.(note);
    const server = { command: process.execPath, args, env: placesIn(env, options.cwd ?? process.cwd()) };
    const file = assistant.file({ platform, home: homedir(), env });
    const entry = assistant.entry(server);
    const answer = {
      client: assistant.title,
      file,
      configuration: configurationText(assistant, name, entry),
    };
    if (!write) return { ...answer, outcome: 'printed' } as const;
    try {
      const merged = mergeConfiguration(assistant, name, entry, readIfThere(file));
      if ('refused' in merged) return { ...answer, outcome: 'refused', reason: merged.refused } as const;
      if ('unchanged' in merged) return { ...answer, outcome: 'unchanged' } as const;
      replaceFile(file, merged.text);
      return { ...answer, outcome: 'written' } as const;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new DocfuseError(
        'storage',
        `${file} cannot be read or written (${code}).`,
        'Leave out --write, and copy the printed text into the file yourself.',
      );
    }
  },
});

/**
 * If another index already holds the folders, returns a sentence: the assistant gets a separate index of them.
 * @param command the command to name for sharing the other index; takes folders
 */
export async function noteSecondIndex(open: OpenOptions, command: string): Promise<string | undefined> {
  const { indexHolding } = await import('../../engine/open-indexes.ts');
  const above = indexHolding(open);
  if (!above) return undefined;
  const [within, roots] = [above.within, above.roots].map((paths) => paths.join(' '));
  return `A separate index of ${within} is made, so that the assistant reads nothing else; to share the index of ${roots}, run ${command} ${roots}.`;
}

/** The arguments of the server. Assistants start it in any folder, so every path is absolute. */
async function argumentsFor(
  options: OpenOptions,
  tell: OperationContext['tell'],
): Promise<readonly string[]> {
  if (options.settings !== undefined) {
    throw new DocfuseError(
      'usage',
      'Settings given with --set cannot be written into the configuration of an assistant.',
      'Write them into docfuse.toml; docfuse config init makes that file.',
    );
  }
  const cwd = options.cwd ?? process.cwd();
  const { askedIndex } = await import('../../engine/config/places.ts');
  const { existsSync } = await import('node:fs');
  const { locateIndex } = await import('../../engine/config/locate-index.ts');
  // Report problems of folders and configuration now: later, only the assistant would see them.
  const { config, indexPath } = locateIndex(options);
  const { files, collections, leftOut } = config;
  if (leftOut) tell?.(`${leftOut.message} ${leftOut.remedy}`);
  const { resolveRoot } = await import('../../engine/config/resolve-root.ts');
  const named = options.roots?.flatMap((root) => resolveRoot(root, cwd));
  const missing = named?.find((root) => !existsSync(root));
  if (missing !== undefined) {
    throw new DocfuseError('not_found', `${missing} does not exist.`, 'Name folders that exist.');
  }
  const { requireOutside } = await import('../../engine/check-roots.ts');
  const folders = collections.map(({ root }) => root);
  requireOutside(indexPath, folders);
  // The last configuration file sets the collections. Always pass it: a server started in another folder would find another file.
  const file = files.at(-1);
  const index = file?.trusted === false ? indexPath : askedIndex(options.indexPath, cwd);
  const roots = named ?? (files.length === 0 ? [cwd] : []);
  return [
    'mcp',
    ...(index === undefined ? [] : ['--index', index]),
    ...(file === undefined ? [] : ['--config', file.file]),
    ...(file?.trusted === false ? argumentsInsteadOfFile(config) : roots),
  ];
}

/** The variables in `PLACES`, as absolute paths. The server needs them, and assistants do not pass on variables of this shell. */
function placesIn(env: NodeJS.ProcessEnv, cwd: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PLACES.flatMap((name) => (env[name] ? [[name, resolve(cwd, env[name])] as const] : [])),
  );
}

/** The arguments that replace an untrusted configuration file. `--config` would make the file trusted, also after changes. */
function argumentsInsteadOfFile({ files, collections, settings }: Config): readonly string[] {
  const { embedding, search } = settings;
  const { file } = files.at(-1)!;
  if (collections.some(({ kind }) => kind === 'git')) {
    throw new DocfuseError(
      'config',
      `${file} is not trusted, and a collection of commits needs a configuration file.`,
      `If you trust this file, pass it with --config ${file}.`,
    );
  }
  const keys = new Set(['provider', 'model', ...embeddingTraits(embedding).destination] as const);
  const values = [...keys].map((key) => [`embedding.${key}`, embedding[key]] as const);
  return [
    ...[...values, ['search.rerank_model', search.rerank_model] as const].flatMap(([key, value]) =>
      value === undefined ? [] : ['--set', `${key}=${value}`],
    ),
    ...collections.map(({ root }) => root),
  ];
}
