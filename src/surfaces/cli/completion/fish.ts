/** Completion for fish. */
import { type CommandWords, type OptionWords, takingValues, withInner } from './words.ts';

/** @param program all commands, with the options that may come before a command */
export function fishScript(program: CommandWords): string {
  const all = withInner(program);
  const paths = all.slice(1).map(({ path }) => path);
  const flags = takingValues(all).flatMap((option) => option.flags);
  return `# fish completion for docfuse

# The path of the command before the cursor, such as /list/tags. A + follows if arguments were typed, as in /search+.
function __docfuse_path
    set -l path
    set -l skip
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip
            continue
        end
        switch $word
            case ${flags.join(' ')}
                set skip 1
            case '-*'
            case '*'
                if contains -- "$path/$word" ${paths.join(' ')}
                    set path "$path/$word"
                else
                    set path "$path+"
                end
        end
    end
    echo $path
end

# Whether this command was typed, with or without arguments.
function __docfuse_in
    test "$argv[1]" = (string trim -rc + -- (__docfuse_path))
end

# Whether this command was typed, without arguments.
function __docfuse_first
    test "$argv[1]" = (__docfuse_path)
end

complete -c docfuse -f
${all.flatMap(placeLines).join('\n')}
`;
}

function placeLines({ path, options, choices, files, commands }: CommandWords): string[] {
  const inside = `__docfuse_in '${path}'`;
  const first = `__docfuse_first '${path}'`;
  const lines = commands.map(
    ({ name, summary }) => `complete -c docfuse -n ${quote(first)} -a ${name} -d ${quote(summary)}`,
  );
  lines.push(...options.map((option) => optionLine(option, inside)));
  if (choices.length > 0) lines.push(`complete -c docfuse -n ${quote(first)} -a ${quote(choices.join(' '))}`);
  if (files) lines.push(`complete -c docfuse -n ${quote(inside)} -F`);
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
