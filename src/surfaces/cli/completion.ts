/** Completion scripts for bash, zsh and fish, written from the commands as they are declared. */
import type { Argument, Command, Option } from 'commander';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import type { CommandWords, OptionWords } from './completion/words.ts';
import { zshScript } from './completion/zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof SHELLS)[number];

/**
 * The script to source or to put where the shell looks for completions. It is static: completing runs no docfuse.
 */
export function completionScript(program: Command, shell: CompletionShell): string {
  const shared = program.options.map(optionWords);
  const commands = program.commands.map((command) => commandWords(command, shared));
  const write = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell];
  return write(commands, shared);
}

function commandWords(command: Command, shared: readonly OptionWords[]): CommandWords {
  const help: OptionWords = {
    flags: ['--help', '-h'],
    summary: 'print help',
    value: 'none',
    choices: [],
  };
  // A command inside another shares most of its options, and is completed like a first argument of it.
  const own = [command, ...command.commands].flatMap((each) => each.options.map(optionWords));
  return {
    name: command.name(),
    summary: command.summary(),
    options: [
      ...new Map(own.map((option) => [option.flags[0], option])).values(),
      ...shared.filter(({ flags }) => !flags.includes('--version')),
      help,
    ],
    choices: [
      ...(command.registeredArguments[0]?.argChoices ?? []),
      ...command.commands.map((inner) => inner.name()),
    ],
    files: command.registeredArguments.some(takesFiles),
  };
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

/** Placeholders that stand for something on disk. */
const FILES = /<(dir|file|docs|run|compare|glob)>/;

function takesFiles(argument: Argument): boolean {
  return argument.variadic;
}
