/** The options that all commands share, and the layout of help. A command refuses options it cannot use; its help omits them. */
import { type Command, createOption, Help, type HelpConfiguration } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { collect } from './options.ts';
import { COLOR_CHOICES, type ColorChoice } from './terminal.ts';
import { fitWidth } from './text-width.ts';

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
export const PATHS =
  'folders, files, .zip archives, npm:NAME, pypi:NAME or added sites (default: those of docfuse.toml, else the working directory)';

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

/** Min columns for a description beside its term. */
const MIN_WIDTH = 20;
const INDENT = 6;

/** Puts a description beside its term, or below it on a narrow terminal. */
export const helpLayout: HelpConfiguration = {
  showGlobalOptions: true,
  /**
   * Returns only the options of the program. The options of a parent command are left out, because a nested command declares
   * them itself or refuses them.
   */
  visibleGlobalOptions: (command) =>
    command.parent ? programOf(command).options.filter(({ long }) => long !== '--version') : [],
  minWidthToWrap: MIN_WIDTH,
  styleUsage(this: Help, usage) {
    return fitWidth(`Usage: ${usage}`, widthOf(this)).slice('Usage: '.length);
  },
  formatItem(this: Help, term, termWidth, description, helper) {
    const width = widthOf(this);
    if (width - termWidth - 4 >= MIN_WIDTH || !description) {
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    }
    return [`  ${term}`, ' '.repeat(INDENT) + description]
      .map((text) => fitWidth(text, width, INDENT))
      .join('\n');
  },
};

function widthOf({ helpWidth }: Help): number {
  return helpWidth ?? 80;
}

function programOf(command: Command): Command {
  return command.parent ? programOf(command.parent) : command;
}
