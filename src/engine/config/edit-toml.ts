/** Sets numbers in a TOML file and leaves every other character of it as it is: comments, order, other keys. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';

/**
 * Sets keys of one table: where they stand already, else at the end of the table, else in a new table at the end of the file.
 * @returns undefined where the table is written in a way that cannot be edited line by line, such as `search = { … }`
 */
export function setNumbers(
  text: string,
  table: string,
  values: Readonly<Record<string, number>>,
): string | undefined {
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  const header = lines.findIndex((line) => isHeader(line, table));
  if (header < 0) {
    lines.push(...(lines.length > 0 ? [''] : []), `[${table}]`, ...Object.entries(values).map(assignment));
  } else {
    for (const [key, value] of Object.entries(values)) setLine(lines, header, key, value);
  }
  const edited = lines.map((line) => line + end).join('');
  return isWhatWasMeant(text, edited, table, values) ? edited : undefined;
}

function setLine(lines: string[], header: number, key: string, value: number): void {
  const next = lines.findIndex((line, at) => at > header && /^\s*\[/.test(line));
  const limit = next < 0 ? lines.length : next;
  const pattern = new RegExp(`^(\\s*(?:${key}|"${key}"|'${key}')\\s*=\\s*)[^\\s#]+(.*)$`);
  for (let at = header + 1; at < limit; at++) {
    const found = pattern.exec(lines[at]!);
    if (!found) continue;
    lines[at] = `${found[1]}${value}${found[2]}`;
    return;
  }
  let last = limit - 1;
  while (last > header && lines[last]!.trim() === '') last--;
  lines.splice(last + 1, 0, assignment([key, value]));
}

function isHeader(line: string, table: string): boolean {
  return new RegExp(`^\\s*\\[\\s*${table}\\s*\\]\\s*(#.*)?$`).test(line);
}

function assignment([key, value]: readonly [string, number]): string {
  return `${key} = ${value}`;
}

/** Strings over several lines can look like tables and keys; the parser has the last word. */
function isWhatWasMeant(
  before: string,
  after: string,
  table: string,
  values: Readonly<Record<string, number>>,
): boolean {
  try {
    const wanted = parse(before);
    const meant = { ...wanted, [table]: { ...asTable(wanted[table]), ...values } };
    // The parser makes tables without a prototype; copies of them have one, so that they compare as equal.
    return isDeepStrictEqual(structuredClone(meant), structuredClone(parse(after)));
  } catch {
    return false;
  }
}

function asTable(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
