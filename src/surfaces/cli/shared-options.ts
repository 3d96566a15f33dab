/** Options of every command, and those that one of them can do nothing with: these are refused there, and not in its help. */
import type { Command } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { helpLayout } from './help-layout.ts';

export interface SharedOptions {
  readonly index?: string;
  readonly config?: string;
  readonly set?: readonly string[];
  /** Ask the running server of the index, where there is one. */
  readonly server: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  readonly color: boolean;
}

type SharedName = keyof SharedOptions;

/** Shared options that say nothing to a command, with the reason. */
export interface Unused {
  readonly names: readonly SharedName[];
  /** What the command does instead of heeding them, such as `it prints a script`. */
  readonly because: string;
}

/** Of a command that opens no index and reads no configuration. */
export const STANDALONE: Unused = {
  names: ['index', 'config', 'set', 'server'],
  because: 'it opens no index and reads no configuration',
};

/** Declares them on the program. */
export function declareShared(program: Command): void {
  program
    .option('--index <dir>', 'folder of the index, never among your documents')
    .option('--config <file>', 'configuration to use instead of the nearest docfuse.toml')
    .option('--set <key=value>', 'any setting, this once, such as search.fusion=rrf', collect)
    .option('--no-server', 'do it here, even while a server of the same index runs')
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'print nothing but the answer and errors')
    .option('--debug', 'print the stack of an error')
    .option('--no-color', 'print without colours');
}

/** Leaves out of the command's help, and of what shells complete, the options that it refuses. */
export function hideUnused(command: Command, unused: readonly Unused[]): void {
  const hidden: ReadonlySet<string> = new Set(unused.flatMap(({ names }) => names));
  command.configureHelp({
    ...helpLayout,
    visibleGlobalOptions(each) {
      const all = helpLayout.visibleGlobalOptions!(each);
      return each === command ? all.filter((option) => !hidden.has(option.attributeName())) : all;
    },
  });
}

/**
 * @param command the words that were typed of it
 * @param paths folders and files that were typed, of a command that takes none with these options
 * @throws DocfuseError `usage` for the first that was typed
 */
export function refuseUnused(
  program: Command,
  command: string,
  unused: readonly Unused[],
  paths: readonly string[] = [],
): void {
  for (const { names, because } of unused) {
    const flags = program.options
      .filter((option) => program.getOptionValueSource(option.attributeName()) === 'cli')
      .filter((option) => (names as readonly string[]).includes(option.attributeName()))
      .map(({ long }) => long!);
    const [given] = [...flags, ...paths];
    if (given === undefined) continue;
    throw new DocfuseError(
      'usage',
      `docfuse ${command} takes no ${given}: ${because}.`,
      `Leave ${given} out.`,
    );
  }
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
