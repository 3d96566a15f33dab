/** Completion for zsh, with zsh's function `_arguments`. */
import { type CommandWords, type OptionWords, withInner } from './words.ts';

/** @param program all commands, with the options that may come before a command */
export function zshScript(program: CommandWords): string {
  const groups = withInner(program).filter(({ commands }) => commands.length > 0);
  return `#compdef docfuse
# zsh completion for docfuse

${groups.map(groupFunction).join('\n\n')}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _docfuse "$@"; else compdef _docfuse docfuse; fi
`;
}

/** Writes the function that completes the commands inside a group, and the group's own arguments. */
function groupFunction({ path, options, commands, files }: CommandWords): string {
  return `${functionOf(path)}() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \\${options.map((option) => `\n    ${spec(option)} \\`).join('')}
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, summary }) => `        ${quote(`${name}:${summary}`)}`).join('\n')}
      )
      _describe command commands${files ? '\n      _files' : ''}
      ;;
    argument)
      case $line[1] in
${commands.map(commandCase).join('\n')}${files ? `\n        *)\n${specs({ options, files, choices: [] })}\n          ;;` : ''}
      esac
      ;;
  esac
}`;
}

function functionOf(path: string): string {
  return `_docfuse${path.replaceAll('/', '_')}`;
}

function commandCase(command: CommandWords): string {
  const lines = command.commands.length > 0 ? `          ${functionOf(command.path)}` : specs(command);
  return `        ${command.name})\n${lines}\n          ;;`;
}

function specs({ options, choices, files }: Pick<CommandWords, 'options' | 'choices' | 'files'>): string {
  const first = choices.length > 0 ? [`'1:value:(${choices.join(' ')})'`] : [];
  const lines = [...options.map(spec), ...first, files ? "'*:path:_files'" : "'*: :'"];
  return `          _arguments \\\n${lines.map((line) => `            ${line}`).join(' \\\n')}`;
}

/**
 * Writes the specification of an option, such as `'*--tag=[only documents …]:value:'`. An option with a value may be
 * repeated, and its value follows a space or `=`.
 */
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
