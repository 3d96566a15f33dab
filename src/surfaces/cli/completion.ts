/** Completion scripts for bash, zsh and fish, written from the commands as they are declared. */
import type { Argument, Command, Option } from 'commander';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import type { CommandWords, OptionWords } from './completion/words.ts';
import { zshScript } from './completion/zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof SHELLS)[number];

/** The script for a shell to source. It is static: completing does not run docfuse. */
export function completionScript(program: Command, shell: CompletionShell): string {
  const shared = program.options.map(optionWords);
  const commands = program.commands.map(commandWords);
  const write = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell];
  return write({
    ...{ name: 'docfuse', summary: '', choices: [], files: false },
    options: [...shared, HELP_OPTION],
    commands: [...commands, { ...namesAlone('help', commands), summary: 'print help for a command' }],
  });
}

const HELP_OPTION: OptionWords = {
  flags: ['--help', '-h'],
  summary: 'print help',
  value: 'none',
  choices: [],
};

function commandWords(command: Command): CommandWords {
  return {
    name: command.name(),
    summary: command.summary(),
    options: [
      ...command.options.map(optionWords),
      ...command.createHelp().visibleGlobalOptions(command).map(optionWords),
      HELP_OPTION,
    ],
    choices: command.registeredArguments[0]?.argChoices ?? [],
    files: command.registeredArguments.some(takesFiles),
    commands: command.commands.map(commandWords),
  };
}

/** Commands as words that `help` takes. */
function namesAlone(name: string, commands: readonly CommandWords[]): CommandWords {
  return {
    ...{ name, summary: '', options: [], choices: [], files: false },
    commands: commands.map((inner) => ({
      ...namesAlone(inner.name, inner.commands),
      summary: inner.summary,
    })),
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
  return argument.variadic || argument.name() === 'folder';
}
