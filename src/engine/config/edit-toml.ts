/** Sets numbers in a TOML file. Comments, order and other keys stay as they are. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { lineOfKey } from './toml-lines.ts';

/**
 * Sets keys of one table. A new key is added at the end of the table, and a new table at the end of the file.
 * @returns undefined if the table is written in a way that cannot be edited line by line, such as `search = { … }`
 */
export function setNumbers(
  text: string,
  table: string,
  values: Readonly<Record<string, number>>,
): string | undefined {
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  /** 1-based line of the table's header; 0 if there is no such table. */
  const header =
    lines.findIndex((line) => new RegExp(`^\\s*\\[\\s*${table}\\s*\\]\\s*(#.*)?$`).test(line)) + 1;
  const added: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const line = lineOfKey(text, [table, key]) ?? header;
    if (header === 0 || line === header) added.push(`${key} = ${value}`);
    else lines[line - 1] = lines[line - 1]!.replace(/(?<==\s*)[^\s#]+/, String(value));
  }
  if (header === 0) lines.push(...(lines.length > 0 ? [''] : []), `[${table}]`, ...added);
  else {
    const next = lines.findIndex((line, at) => at >= header && /^\s*\[/.test(line));
    let last = next < 0 ? lines.length : next;
    while (last > header && lines[last - 1]!.trim() === '') last--;
    lines.splice(last, 0, ...added);
  }
  const edited = lines.map((line) => line + end).join('');
  return isWhatWasMeant(text, edited, table, values) ? edited : undefined;
}

/** Parses the edited text to check the edit: a string of several lines can look like tables and keys. */
function isWhatWasMeant(
  before: string,
  after: string,
  table: string,
  values: Readonly<Record<string, number>>,
): boolean {
  try {
    const wanted = parse(before);
    const meant = { ...wanted, [table]: { ...asTable(wanted[table]), ...values } };
    // The parser's tables have no prototype and differ from ordinary objects. Cloning gives both sides ordinary objects.
    return isDeepStrictEqual(structuredClone(meant), structuredClone(parse(after)));
  } catch {
    return false;
  }
}

function asTable(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
