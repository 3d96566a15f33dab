/** The options that all commands share. A command refuses those it cannot use, and its help leaves them out. */
import { type Command, createOption } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { helpLayout } from './help-layout.ts';
import { collect } from './options.ts';
import { COLOR_CHOICES, type ColorChoice } from './terminal.ts';

export interface SharedOptions {
  readonly index?: string;
  readonly config?: string;
  readonly set?: readonly string[];
  /** Whether to ask the running server of the index. */
  readonly server: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  /** False for `--no-color`. */
  readonly color?: ColorChoice | false;
}

/** Shared options that a command cannot use, with the reason. */
export interface Unused {
  readonly names: readonly (keyof SharedOptions)[];
  /** The reason, which ends the error message, such as `it prints a script`. */
  readonly because: string;
}

/** For commands that open no index and read no configuration. */
export const STANDALONE: Unused = {
  names: ['index', 'config', 'set', 'server'],
  because: 'it opens no index and reads no configuration',
};

/** Describes the paths that most commands take. */
export const PATHS = 'folders or files (default: those of docfuse.toml, else the working directory)';

export function declareShared(program: Command): void {
  program
    .option('--index <dir>', 'folder of the index, never among your documents')
    .option('--config <file>', 'configuration to use instead of the nearest docfuse.toml')
    .option('--set <key=value>', 'any setting for this command, such as search.fusion=rrf', collect)
    .option('--no-server', 'do not use a running server of the same index')
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'print only the answer and errors')
    .option('--debug', 'print the stack of an error')
    .addOption(
      createOption('--color <when>', 'print colours and links (default: auto, on a terminal)').choices(
        COLOR_CHOICES,
      ),
    )
    .option('--no-color', 'like --color never');
}

/** Hides options from the help and the completion of a command that refuses them. */
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
 * @param command words of the command, such as `list tags`
 * @param paths typed paths that the command does not take
 * @throws DocfuseError `usage` for the first option or path that the command refuses
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
