/** Completion scripts for bash, zsh and fish, written from the commands as they are declared. */
import type { Command } from 'commander';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { programWords } from './completion/words.ts';
import { zshScript } from './completion/zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
export type CompletionShell = keyof typeof SCRIPTS;
export const SHELLS = Object.keys(SCRIPTS) as readonly CompletionShell[];

/** The script for a shell to source. It is static: completing does not run docfuse. */
export function completionScript(program: Command, shell: CompletionShell): string {
  return SCRIPTS[shell](programWords(program));
}
