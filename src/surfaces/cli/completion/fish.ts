/** Completion for fish. */
import type { CommandWords, OptionWords } from './words.ts';

/** @param shared options that may stand before the command */
export function fishScript(commands: readonly CommandWords[], shared: readonly OptionWords[]): string {
  const lines = [
    '# fish completion for docfuse',
    '',
    'complete -c docfuse -f',
    ...commands.map(
      ({ name, summary }) => `complete -c docfuse -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ),
    ...shared.map((option) => optionLine(option, '__fish_use_subcommand')),
    ...commands.flatMap(commandLines),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ name, options, choices, files }: CommandWords): string[] {
  const when = `__fish_seen_subcommand_from ${name}`;
  const lines = options.map((option) => optionLine(option, when));
  if (choices.length > 0) lines.push(`complete -c docfuse -n ${quote(when)} -a ${quote(choices.join(' '))}`);
  if (files) lines.push(`complete -c docfuse -n ${quote(when)} -F`);
  return lines;
}

function optionLine({ flags, summary, value, choices }: OptionWords, when: string): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const argument = { none: '', choice: ` -x -a ${quote(choices.join(' '))}`, file: ' -r -F', text: ' -x' }[
    value
  ];
  return `complete -c docfuse -n ${quote(when)} ${names.join(' ')}${argument} -d ${quote(summary)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
