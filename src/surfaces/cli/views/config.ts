/** Prints the settings in effect as TOML, each with a comment that names its source. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { Terminal } from '../terminal.ts';
import { cellsOf } from '../text-width.ts';
import type { Answer, ViewContext } from './views.ts';

export function showConfig(answer: Answer<'config'>, { write, terminal }: ViewContext): void {
  const { files, left_out, index_path, index_path_origin, collections_origin, collections, settings } =
    answer;
  const { dim, bold, yellow } = terminal.colors;
  const print = (key: string, value: unknown, comment?: string) =>
    write(assignment(key, value, comment, terminal));
  for (const { file, role } of files) write(dim(`# ${role}: ${oneLine(file)}`));
  if (left_out) write(yellow(`# ${oneLine(left_out.message)}\n# ${oneLine(left_out.remedy)}`));
  print('index_path', index_path, originOf(index_path_origin));
  for (const { name, root, kind, include, exclude, language } of collections) {
    write(`\n${dim(`# ${originOf(collections_origin)}`)}\n${bold('[[collections]]')}`);
    print('name', name);
    print('path', root);
    print('kind', kind);
    if (kind !== 'git') {
      print('include', include);
      print('exclude', exclude);
    }
    print('language', language);
  }
  // TOML allows each section only once, so all its keys are printed together.
  for (const [section, entries] of Map.groupBy(settings, ({ key }) => key.slice(0, key.lastIndexOf('.')))) {
    write(`\n${bold(`[${section}]`)}`);
    for (const { key, value, source, where } of entries) {
      const name = key.slice(section.length + 1);
      if (value === undefined) write(dim(`# ${name} is not set`));
      else print(name, value, originOf({ source, where }));
    }
  }
}

function originOf({ source, where }: Answer<'config'>['index_path_origin']): string {
  return source === 'default' ? 'default' : oneLine(where ?? 'this call');
}

/** Writes a setting and its comment on one line if both fit. Otherwise the comment is above; a long list takes several lines. */
function assignment(key: string, value: unknown, comment: string | undefined, terminal: Terminal): string {
  const { dim } = terminal.colors;
  const limit = terminal.limits.stdout;
  const line = `${key} = ${toToml(value)}`;
  const whole = comment === undefined ? line : `${line}  # ${comment}`;
  if (cellsOf(whole) <= limit) return comment === undefined ? line : `${line}  ${dim(`# ${comment}`)}`;
  const above = comment === undefined ? '' : `${dim(`# ${comment}`)}\n`;
  if (!Array.isArray(value) || cellsOf(line) <= limit) return above + line;
  return `${above}${key} = [\n${value.map((each) => `  ${toToml(each)},\n`).join('')}]`;
}

/** Writes a value as TOML: these values look the same in JSON and TOML, and TOML can read the escapes of `oneLine`. */
function toToml(value: unknown): string {
  return oneLine(JSON.stringify(value));
}
