/** Completion for bash 3.2 and later, without helpers of the bash-completion package. */
import { type CommandWords, type OptionWords, takingValues, withInner } from './words.ts';

/** @param program all commands, with the options that may come before a command */
export function bashScript(program: CommandWords): string {
  const all = withInner(program);
  const paths = all.slice(1).map(({ path }) => path);
  const taking = takingValues(all);
  const places = all.filter(({ options, commands }) => options.length > 0 || commands.length > 0);
  return `# bash completion for docfuse

_docfuse() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' first=1 option='' skip='' word
  COMPREPLY=()
  # bash splits --mode=keyword at the sign, unless COMP_WORDBREAKS was changed.
  if [[ $current == --*=* ]]; then
    previous="\${current%%=*}" option="\${current%%=*}=" current="\${current#*=}"
  elif [[ $current == '=' ]]; then current=''; elif [[ $previous == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  # Finds the command in the words so far. The first word that is not a command ends the search.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == '=' ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${taking.flatMap(({ flags }) => flags).join('|')}) skip=1 ;;
      -*) ;;
      *)
        if [[ -z $first ]]; then continue; fi
        case $path/$word in
          ${paths.join('|')}) path=$path/$word ;;
          *) first='' ;;
        esac ;;
    esac
  done
  case $path in
${places.map(placeCase).join('\n')}
  esac
  if [[ -n $option ]]; then COMPREPLY=("\${COMPREPLY[@]/#/$option}"); fi
}

# $1 words for the first argument, $2 options, $3 not empty if paths may follow. The value of an option is tried first.
_docfuse_complete() {
  case $previous in
${taking.map(valueCase).join('\n')}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$2" -- "$current")); return; fi
  if [[ -n $first ]]; then COMPREPLY=($(compgen -W "$1" -- "$current")); fi
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

function placeCase({ path, choices, options, files, commands }: CommandWords): string {
  const first = [...choices, ...commands.map(({ name }) => name)].join(' ');
  const flags = options.map((option) => option.flags[0]).join(' ');
  return `    ${path || "''"}) _docfuse_complete '${first}' '${flags}' '${files ? 'paths' : ''}' ;;`;
}

/** An option has the same values in every command, so all commands share one list of cases. */
function valueCase({ flags, value, choices }: OptionWords): string {
  const words = `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`;
  const action = value === 'file' ? '_docfuse_files' : value === 'choice' ? words : ':';
  return `    ${flags.join('|')}) ${action}; return ;;`;
}
