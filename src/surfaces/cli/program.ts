/** The command line: every operation as a command, and the options all commands share. */
import { readFileSync } from 'node:fs';
import { type Command, createArgument, createCommand } from 'commander';
import type { Operation } from '../operations/operation.ts';
import { type AnyOperation, commandGroups, operations } from '../operations/operations.ts';
import { type CompletionShell, completionScript, SHELLS } from './completion.ts';
import { commandOf, commandWords, declare, declareVariant, isAsked } from './options.ts';
import { readTerminal } from './terminal.ts';
import { views } from './views/views.ts';

/** Options of every command. */
export interface SharedOptions {
  readonly index?: string;
  readonly config?: string;
  readonly set?: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  readonly color: boolean;
}

/** A command as typed, for whoever carries it out. */
export interface Invocation {
  readonly operation: AnyOperation;
  /** The operation's own arguments. */
  readonly args: readonly unknown[];
  /** What to index and search; empty for the default. */
  readonly paths: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly shared: SharedOptions;
}

/** Help is easier to read when it is not wider. */
const WIDEST_HELP = 100;

/**
 * Builds the parser. Wrong usage throws a `CommanderError` and prints nothing.
 * @param run carries out one operation
 */
export function createProgram(run: (invocation: Invocation) => Promise<void>): Command {
  const width = () => Math.min(WIDEST_HELP, readTerminal(true).width);
  const program = createCommand('docfuse')
    .exitOverride()
    .configureOutput({ outputError: () => {}, getOutHelpWidth: width, getErrHelpWidth: width })
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .description('Search your Markdown by meaning, words and code, on your own machine.')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .option('--index <dir>', 'folder of the index, never among your documents')
    .option('--config <file>', 'configuration to use instead of the nearest docfuse.toml')
    .option('--set <key=value>', 'any setting, this once, such as search.fusion=rrf', collect)
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'print nothing but the answer and errors')
    .option('--debug', 'print the stack of an error')
    .option('--no-color', 'print without colours')
    .addHelpText('after', EXAMPLES);
  for (const operation of operations) {
    if (!operation.cli || !('optionOf' in operation.cli)) addOperation(program, operation, run);
  }
  addCompletion(program);
  return program;
}

const EXAMPLES = `
Examples:
  docfuse search "how do I rotate tokens" docs
  docfuse search 'title:release -draft' --tag api --after 30d -n 10
  docfuse index ~/notes`;

function addOperation(
  program: Command,
  operation: AnyOperation,
  run: (invocation: Invocation) => Promise<void>,
): void {
  const { summary, description, cli }: Operation = operation;
  const words = commandWords(operation);
  const command = words
    .slice(0, -1)
    .reduce(commandInside, program)
    .command(words.at(-1)!)
    .summary(lowerFirst(summary))
    .description(description ? `${summary}. ${description}` : `${summary}.`);
  declare(command, operation);
  const variants = operations.filter((other) => other !== operation && commandOf(other) === words.join(' '));
  for (const variant of variants) declareVariant(command, operation, variant);
  const ownArguments = command.registeredArguments.length;
  if (cli?.paths) {
    command.argument(
      '[path...]',
      'folders or files (default: those of docfuse.toml, else the working directory)',
    );
  }
  for (const option of views[operation.name].options ?? []) command.addOption(option);
  command.action(async () => {
    const options = command.opts();
    await run({
      operation: variants.find((variant) => isAsked(variant, options)) ?? operation,
      args: command.processedArgs.slice(0, ownArguments),
      paths: (command.processedArgs[ownArguments] as string[] | undefined) ?? [],
      options,
      shared: program.opts<SharedOptions>(),
    });
  });
}

/** Outer commands stand before inner ones in the table; a group that is no operation itself only holds others. */
function commandInside(outer: Command, name: string): Command {
  const found = outer.commands.find((command) => command.name() === name);
  if (found) return found;
  const summary = commandGroups[name] ?? '';
  return outer.command(name).summary(lowerFirst(summary)).description(`${summary}.`);
}

function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Print a completion script for a shell.')
    .addArgument(createArgument('<shell>', 'shell to complete in').choices(SHELLS))
    .addHelpText('after', COMPLETION_HELP)
    .action((shell: CompletionShell) => {
      process.stdout.write(completionScript(program, shell));
    });
}

const COMPLETION_HELP = `
To switch it on:
  bash  docfuse completion bash > ~/.local/share/bash-completion/completions/docfuse
  zsh   docfuse completion zsh > "\${fpath[1]}/_docfuse"
  fish  docfuse completion fish > ~/.config/fish/completions/docfuse.fish`;

/** Sources and build lie equally deep under the package's root. */
function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
