/** Completion for zsh, by its own `_arguments`. */
import type { CommandWords, OptionWords } from './words.ts';

/** @param shared options that may stand before the command */
export function zshScript(commands: readonly CommandWords[], shared: readonly OptionWords[]): string {
  return `#compdef docfuse
# zsh completion for docfuse

_docfuse() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${shared.map((option) => `    ${spec(option)} \\`).join('\n')}
    '(- *)'{-h,--help}'[print help]' \\
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, summary }) => `        ${quote(`${name}:${summary}`)}`).join('\n')}
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
${commands.map(commandCase).join('\n')}
      esac
      ;;
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _docfuse "$@"; else compdef _docfuse docfuse; fi
`;
}

function commandCase({ name, options, choices, files }: CommandWords): string {
  const words = choices.join(' ');
  const first = files ? `'1:value:{compadd ${words}; _files}'` : `'1:value:(${words})'`;
  const rest = files ? "'*:path:_files'" : "'*: :'";
  const places = choices.length === 0 ? [rest] : files ? [first, rest] : [first];
  const lines = [...options.map(spec), ...places].map((line) => `            ${line}`);
  return `        ${name})\n          _arguments \\\n${lines.join(' \\\n')}\n          ;;`;
}

/** `'*--tag=[only documents …]:value:'`; an option with a value may be given again, and its value after a space or `=`. */
function spec({ flags, summary, value, choices }: OptionWords): string {
  const action = value === 'choice' ? `(${choices.join(' ')})` : value === 'file' ? '_files' : '';
  const argument = value === 'none' ? '' : `:value:${action}`;
  const text = `[${summary.replace(/[[\]:\\]/g, '\\$&')}]${argument}`;
  const times = value === 'none' ? '' : '*';
  const names = value === 'none' ? flags : flags.map((flag) => `${flag}${flag.startsWith('--') ? '=' : '+'}`);
  if (names.length === 1) return quote(`${times}${names[0]}${text}`);
  return `${quote(times || `(${flags.join(' ')})`)}{${names.join(',')}}${quote(text)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
