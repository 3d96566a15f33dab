/** The command `completion`: prints scripts for bash, zsh and fish, made from the declared commands. */
import { type Command, createArgument } from 'commander';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { programWords } from './completion/words.ts';
import { zshScript } from './completion/zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Adds the command. Its scripts are static: completing does not run docfuse. */
export function addCompletion(program: Command): Command {
  return program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Print a completion script for a shell.')
    .addArgument(createArgument('<shell>', 'shell to complete in').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', HELP)
    .action((shell: keyof typeof SCRIPTS) => {
      process.stdout.write(SCRIPTS[shell](programWords(program)));
    });
}

const HELP = `
To switch it on:
  bash  mkdir -p ~/.local/share/bash-completion/completions
        docfuse completion bash > ~/.local/share/bash-completion/completions/docfuse
  zsh   docfuse completion zsh > "\${fpath[1]}/_docfuse"
  fish  mkdir -p ~/.config/fish/completions
        docfuse completion fish > ~/.config/fish/completions/docfuse.fish`;
