/** Completion for bash 3.2 and later, without helpers of the bash-completion package. */
import type { CommandWords, OptionWords } from './words.ts';

/** @param shared options that may stand before the command */
export function bashScript(commands: readonly CommandWords[], shared: readonly OptionWords[]): string {
  const takingValues = [...shared, ...commands.flatMap(({ options }) => options)].filter(
    ({ value }) => value !== 'none',
  );
  return `# bash completion for docfuse

_docfuse() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' option='' skip='' word
  COMPREPLY=()
  # bash splits --mode=keyword at the sign, unless COMP_WORDBREAKS was changed.
  if [[ $current == --*=* ]]; then
    previous="\${current%%=*}" option="\${current%%=*}=" current="\${current#*=}"
  elif [[ $current == '=' ]]; then current=''; elif [[ $previous == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == '=' ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${pattern(takingValues)}) skip=1 ;;
      -*) ;;
      *) command=$word; break ;;
    esac
  done
  case $command in
    '') _docfuse_complete '${commands.map(({ name }) => name).join(' ')} help' '${flags(shared)} --help' '' ;;
${commands.map((command) => `    ${command.name}) ${commandCase(command)} ;;`).join('\n')}
    help) COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$current")) ;;
  esac
  if [[ -n $option ]]; then COMPREPLY=("\${COMPREPLY[@]/#/$option}"); fi
}

# $1 words, $2 options, $3 whether paths may follow; the value of an option comes first.
_docfuse_complete() {
  case $previous in
${valueCases([...shared, ...commands.flatMap(({ options }) => options)])}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$2" -- "$current")); return; fi
  COMPREPLY=($(compgen -W "$1" -- "$current"))
  if [[ -n $3 ]]; then _docfuse_files; fi
}

_docfuse_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=($(compgen -f -- "$current"))
}

complete -F _docfuse docfuse
`;
}

function commandCase({ choices, options, files }: CommandWords): string {
  return `_docfuse_complete '${choices.join(' ')}' '${flags(options)}' '${files ? 'paths' : ''}'`;
}

/** An option means the same in every command that has it, so one list of cases serves all. */
function valueCases(options: readonly OptionWords[]): string {
  const cases = new Map<string, string>();
  for (const option of options) {
    if (option.value === 'none') continue;
    const words = `COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$current"))`;
    const action = option.value === 'file' ? '_docfuse_files' : option.value === 'choice' ? words : ':';
    cases.set(pattern([option]), action);
  }
  return [...cases].map(([flag, action]) => `    ${flag}) ${action}; return ;;`).join('\n');
}

function pattern(options: readonly OptionWords[]): string {
  return [...new Set(options.flatMap((option) => option.flags))].join('|');
}

function flags(options: readonly OptionWords[]): string {
  return options.map((option) => option.flags[0]).join(' ');
}
