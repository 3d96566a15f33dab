/** The command line: every operation as a command, and the options all commands share. */
import { type Command, createCommand } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { VERSION } from '../../engine/version.ts';
import { type Field, fieldsOf } from '../operations/fields.ts';
import type { Operation } from '../operations/operation.ts';
import { type AnyOperation, commandGroups, operations } from '../operations/operations.ts';
import { addCompletion } from './completion.ts';
import { adviceFor } from './failure.ts';
import { asksIndex, commandOf, commandWords, declare, invocationOf, isAsked, lowerFirst } from './options.ts';
import {
  describeMcp,
  describeOpen,
  describeServe,
  type ServeOptions,
  type ServerWork,
  serve,
  serveMcp,
} from './serve.ts';
import {
  declareShared,
  helpLayout,
  hideUnused,
  PATHS,
  refuseUnused,
  type SharedOptions,
  STANDALONE,
  type Unused,
} from './shared-options.ts';
import { readTerminal } from './terminal.ts';
import { fitWidth } from './text-width.ts';
import { guessMissing, refuseUnknown } from './unknown-name.ts';
import { viewOptions } from './views/views.ts';
import { describeWorker, work } from './worker.ts';

export interface Invocation {
  readonly operation: AnyOperation;
  readonly fields: readonly Field[];
  /** The operation's own arguments. */
  readonly args: readonly unknown[];
  /** Folders and files to index and search; empty for the default. */
  readonly paths: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly shared: SharedOptions;
}

/** Loads its code only when it is called, so that other commands start faster. */
const openPage: ServerWork = async (...call) => (await import('./open-page.ts')).openPage(...call);

/** Max columns of help; wider help is harder to read. */
const MAX_HELP_WIDTH = 100;

export interface Runners {
  operation(invocation: Invocation): Promise<void>;
  /** Runs a server until it is interrupted: `docfuse serve`, `docfuse open` or `docfuse mcp`. */
  server(work: ServerWork, paths: readonly string[], options: ServeOptions): Promise<void>;
}

/**
 * Builds the parser. Wrong usage throws a `CommanderError` and prints nothing.
 * @param args as typed. Only commands named in them get options, because declaring the options of all commands takes time
 */
export function createProgram(runners: Runners, args: readonly string[] = []): Command {
  const named = namedIn(args);
  const width = () => Math.min(MAX_HELP_WIDTH, readTerminal().width);
  const program = createCommand('docfuse')
    .exitOverride()
    .configureOutput({ outputError: () => {}, getOutHelpWidth: width, getErrHelpWidth: width })
    .configureHelp(helpLayout)
    .description('Search your Markdown by meaning, words and code, on your own machine.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command...]', 'print help for a command')
    .addHelpText('after', EXAMPLES);
  declareShared(program);
  for (const operation of operations) {
    if (!operation.cli || !('optionOf' in operation.cli))
      addOperation(program, operation, runners.operation, named);
  }
  function addServer(command: Command, work: ServerWork, refused: keyof SharedOptions, because: string) {
    command.argument('[path...]', PATHS).action((paths: string[], options: object) => {
      const all = { ...program.opts<SharedOptions>(), ...options };
      return explaining(command, paths, runners.server(work, paths, all));
    });
    leaveOut(command, [{ names: [refused], because }]);
  }
  addServer(describeServe(program.command('serve')), serve, 'server', 'it is the server');
  addServer(describeOpen(program.command('open')), openPage, 'server', 'it uses the server, or is it');
  const mcp = describeMcp(commandInside(program, 'mcp'));
  addServer(mcp, serveMcp, 'json', 'it prints the messages of a protocol');
  const worker = describeWorker(program.command('worker')).action((options: object) =>
    runners.server(work, [], { ...program.opts<SharedOptions>(), ...options }),
  );
  leaveOut(worker, [{ names: ['server', 'json'], because: 'it answers nothing' }]);
  const version = program.command('version').summary('print the version').description('Print the version.');
  version.action(() => void process.stdout.write(`${VERSION}\n`));
  leaveOut(version, [STANDALONE, { names: ['json'], because: 'it prints a number' }]);
  leaveOut(addCompletion(program), [STANDALONE, { names: ['json'], because: 'it prints a script' }]);
  for (const group of [program, ...program.commands]) {
    if (group.commands.length > 0 && !group.registeredArguments.length) refuseUnknown(group);
  }
  return program;
}

const EXAMPLES = `
Examples:
  docfuse search "how do I rotate tokens" docs
  docfuse search 'title:release -draft' --tag api --after 30d -n 10
  docfuse index ~/notes`;

/** The text that `docfuse` prints without arguments. */
export function shortHelp(program: Command): string {
  return `${program.description()}\n${EXAMPLES}\n\ndocfuse --help lists all commands, docfuse search --help the options of search.\n`;
}

/** Hides shared options in the help of a command, and refuses them when the command runs. For commands that are not operations. */
function leaveOut(command: Command, unused: readonly Unused[]): void {
  hideUnused(command, unused);
  command.hook('preAction', (outer, acting) => {
    if (acting === outer) refuseUnused(command.parent!, command.name(), unused);
  });
}

const FILTERS_HELP =
  'A filter may be repeated: its values are alternatives. Different filters must all match.';

function addOperation(
  program: Command,
  operation: AnyOperation,
  run: (invocation: Invocation) => Promise<void>,
  named: (command: string) => boolean,
): void {
  const { summary, description, cli }: Operation = operation;
  const words = commandWords(operation);
  const command = words
    .slice(0, -1)
    .reduce(commandInside, program)
    .command(words.at(-1)!)
    .summary(lowerFirst(summary))
    .description(description ? `${summary}. ${description}` : `${summary}.`);
  if (!named(words[0]!)) return;
  const own = describe(operation);
  const variants = operations
    .filter((other) => other !== operation && commandOf(other) === words.join(' '))
    .map(describe);
  declare(command, own, variants);
  if ('filters' in operation.input.shape) {
    const width = () => command.configureOutput().getOutHelpWidth?.() ?? MAX_HELP_WIDTH;
    command.addHelpText('after', () => `\n${fitWidth(FILTERS_HELP, width())}`);
  }
  if (cli?.standalone) {
    hideUnused(command, [STANDALONE]);
    const group = command.parent!;
    if (group.name() in commandGroups) hideUnused(group, [STANDALONE]);
  }
  const ownArguments = command.registeredArguments.length;
  if (cli?.paths) command.argument('[path...]', PATHS);
  if (asksIndex(operation)) {
    command.option(
      '--new-index',
      'make an index of these folders, even if the index of a folder above contains them',
    );
  }
  const { forms = [], options: others = [] } = viewOptions(operation.name);
  for (const option of [...forms, ...others]) command.addOption(option);
  command.action(async () => {
    const options = optionsOf(command, program);
    const shared = program.opts<SharedOptions>();
    const form = shared.json && forms.find((option) => options[option.attributeName()] !== undefined);
    // Commander finds conflicts only within one command, but `--json` belongs to the program. Use the words of commander's message.
    if (form) program.error(`error: option '${form.flags}' cannot be used with option '--json'`);
    const paths = (command.processedArgs[ownArguments] as string[] | undefined) ?? [];
    const chosen = variants.find((variant) => isAsked(variant.operation, options)) ?? own;
    const { cli }: Operation = chosen.operation;
    if (cli?.standalone) refuseUnused(program, invocationOf(chosen.operation), [STANDALONE], paths);
    const args = command.processedArgs.slice(0, ownArguments);
    await explaining(command, paths, run({ ...chosen, args, paths, options, shared }));
  });
}

/** Adds the typed folders to errors of the work, and a suggestion if a typed folder does not exist. */
function explaining(command: Command, paths: readonly string[], work: Promise<void>): Promise<void> {
  return work.catch((error: unknown) => {
    if (!(error instanceof DocfuseError)) throw error;
    const remedy = adviceFor(error.remedy + guessMissing(error, command, paths), paths);
    throw remedy === error.remedy
      ? error
      : new DocfuseError(error.code, error.message, remedy, { cause: error });
  });
}

function describe(operation: AnyOperation) {
  return { operation, fields: fieldsOf(operation) };
}

/** Merges the options of a command and its parent: if both have the same option, commander gives the value to the parent. */
function optionsOf(command: Command, program: Command): Readonly<Record<string, unknown>> {
  const outer = command.parent;
  if (!outer || outer === program) return command.opts();
  const known = new Set(command.options.map((option) => option.attributeName()));
  const stray = outer.options.find((option) => {
    const name = option.attributeName();
    return outer.getOptionValueSource(name) === 'cli' && !known.has(name);
  });
  if (stray) command.error(`error: unknown option '${stray.long}'`, { code: 'commander.unknownOption' });
  return { ...outer.opts(), ...command.opts() };
}

/**
 * Returns a function that tells whether the options of a command must be declared. Only help and completion need the options of
 * all commands; declaring them takes longer than a search. If no command is typed, the arguments may be a query for `search`.
 */
function namedIn(args: readonly string[]): (command: string) => boolean {
  const outer = new Set(operations.map((operation) => commandWords(operation)[0]!));
  const isNamed = args.some((arg) => outer.has(arg));
  const asksAll = /^(-h|--help|help)$/;
  const all =
    args.length === 0 || args.includes('completion') || (!isNamed && args.some((arg) => asksAll.test(arg)));
  return (command) => all || args.includes(command) || (!isNamed && command === 'search');
}

/** Finds the command `name` inside `outer`, or adds a group. The table of operations lists a command before those inside it. */
function commandInside(outer: Command, name: string): Command {
  const found = outer.commands.find((command) => command.name() === name);
  if (found) return found;
  const summary = commandGroups[name] ?? '';
  return outer.command(name).summary(lowerFirst(summary)).description(`${summary}.`);
}
