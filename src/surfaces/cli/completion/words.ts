/** Commands and options, reduced to what completion scripts need. */
import type { Command, Option } from 'commander';

export interface CommandWords {
  /** The words of the command, such as `/models/rm`; `''` for the program itself. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  /** The options of this command and the shared options, without the options of commands inside it. */
  readonly options: readonly OptionWords[];
  /** The values of the command's first argument, if they are fixed. */
  readonly choices: readonly string[];
  /** Whether the command's arguments include paths. */
  readonly files: boolean;
  readonly commands: readonly CommandWords[];
}

export interface OptionWords {
  /** `--top-n`, and the short form `-n` if there is one. */
  readonly flags: readonly string[];
  readonly summary: string;
  /** The kind of the option's value: none, one of `choices`, a path, or any text. */
  readonly value: 'none' | 'choice' | 'file' | 'text';
  readonly choices: readonly string[];
}

/** Returns all commands and the command `help`, with the options that may come before a command. */
export function programWords(program: Command): CommandWords {
  const words = commandWords(program, '');
  const help = { ...namesAlone(words, '/help'), name: 'help', summary: 'print help for a command' };
  return { ...words, commands: [...words.commands, help] };
}

/** A command and all commands inside it, outer ones first. */
export function withInner(words: CommandWords): readonly CommandWords[] {
  return [words, ...words.commands.flatMap(withInner)];
}

export function takingValues(commands: readonly CommandWords[]): readonly OptionWords[] {
  const options = commands.flatMap((command) => command.options).filter(({ value }) => value !== 'none');
  return [...new Map(options.map((option) => [option.flags.join('|'), option])).values()];
}

const HELP_OPTION: OptionWords = {
  flags: ['--help', '-h'],
  summary: 'print help',
  value: 'none',
  choices: [],
};

function commandWords(command: Command, path: string): CommandWords {
  const shared = command.createHelp().visibleGlobalOptions(command);
  return {
    path,
    name: command.name(),
    summary: command.summary(),
    options: [...[...command.options, ...shared].map(optionWords), HELP_OPTION],
    choices: command.registeredArguments[0]?.argChoices ?? [],
    files: command.registeredArguments.some((argument) => argument.variadic || argument.name() === 'folder'),
    commands: command.commands.map((inner) => commandWords(inner, `${path}/${inner.name()}`)),
  };
}

/** Returns the words that may follow `help`: a command and those inside it, without options. */
function namesAlone(words: CommandWords, path: string): CommandWords {
  const commands = words.commands.map((inner) => namesAlone(inner, `${path}/${inner.name}`));
  return { ...words, path, options: [], choices: [], files: false, commands };
}

function optionWords(option: Option): OptionWords {
  const value = option.required || option.optional;
  const choices = option.argChoices ?? [];
  return {
    flags: [option.long, option.short].filter((flag) => flag !== undefined),
    summary: option.description,
    value: !value ? 'none' : choices.length > 0 ? 'choice' : FILES.test(option.flags) ? 'file' : 'text',
    choices,
  };
}

const FILES = /<(dir|file|docs|run|compare|glob)>/;
