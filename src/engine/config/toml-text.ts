/** Finds the lines of keys in a TOML file, and sets numbers. The TOML parser gives lines only for syntax errors, not for keys. */

import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { isRecord } from '../../core/model/json.ts';

/**
 * @param text valid TOML
 * @param path names of the tables, then of the key; after the name of a list of tables, the 0-based position in the list. Issues
 *   of zod have such paths
 * @returns 1-based line of the key, else of the table or inline table that would hold the key, else undefined
 */
export function lineOfKey(text: string, path: readonly PropertyKey[]): number | undefined {
  const wanted = path.map(String);
  const counts = new Map<string, number>();
  let table: readonly string[] = [];
  let best: { readonly depth: number; readonly line: number } | undefined;
  let statement = '';
  let begin = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (statement === '') begin = index + 1;
    statement += `${line}\n`;
    const names = namesIn(statement);
    if (!names) continue; // the value continues on the next line
    const [isHeader, isList] = ['[', '[['].map((start) => statement.trimStart().startsWith(start));
    statement = '';
    let found = isHeader ? names : [...table, ...names];
    if (isList) {
      const place = counts.get(names.join('\0')) ?? 0;
      counts.set(names.join('\0'), place + 1);
      found = [...names, String(place)];
    }
    if (isHeader) table = found;
    const isOnTheWay = found.slice(0, wanted.length).every((step, at) => step === wanted[at]);
    // If no line names `search` itself, the header `[search.advanced]` counts as the line of `search`.
    const depth = found.length <= wanted.length ? found.length : wanted.length - 0.5;
    if (names.length > 0 && isOnTheWay && depth > (best?.depth ?? 0)) best = { depth, line: begin };
  }
  return best?.line;
}

/** Returns the path of the key or table in a statement, empty for a comment; undefined if the statement is incomplete. */
function namesIn(statement: string): readonly string[] | undefined {
  try {
    const names: string[] = [];
    for (let at: unknown = parse(statement); typeof at === 'object' && at !== null; ) {
      const [[name, inner] = [undefined, undefined], ...others] = Object.entries(at);
      if (name === undefined || others.length > 0) break;
      names.push(name);
      at = Array.isArray(inner) ? undefined : inner;
    }
    return names;
  } catch {
    return undefined;
  }
}

/**
 * Sets numbers of the table `search`. Comments, order and other keys stay as they are. A new key is added at the end of the table, and a new
 * table at the end of the file.
 * @returns undefined if the table is written in a way that cannot be edited line by line, such as `search = { … }`
 */
export function setNumbers(text: string, values: Readonly<Record<string, number>>): string | undefined {
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  /** 1-based line of the table's header; 0 if there is no such table. */
  const header = lines.findIndex((line) => /^\s*\[\s*search\s*\]\s*(#.*)?$/.test(line)) + 1;
  const added: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const line = lineOfKey(text, ['search', key]) ?? header;
    if (header === 0 || line === header) added.push(`${key} = ${value}`);
    else lines[line - 1] = lines[line - 1]!.replace(/(?<==\s*)[^\s#]+/, String(value));
  }
  if (header === 0) lines.push(...(lines.length > 0 ? [''] : []), '[search]', ...added);
  else {
    const next = lines.findIndex((line, at) => at >= header && /^\s*\[/.test(line));
    let last = next < 0 ? lines.length : next;
    while (last > header && lines[last - 1]!.trim() === '') last--;
    lines.splice(last, 0, ...added);
  }
  const edited = lines.map((line) => line + end).join('');
  return isWhatWasMeant(text, edited, values) ? edited : undefined;
}

/** Parses the edited text to check the edit: a string of several lines can look like tables and keys. */
function isWhatWasMeant(before: string, after: string, values: Readonly<Record<string, number>>): boolean {
  try {
    const wanted = parse(before);
    const meant = { ...wanted, search: { ...(isRecord(wanted.search) && wanted.search), ...values } };
    // The parser's tables have no prototype, so they never equal ordinary objects. Clones of both sides are ordinary objects.
    return isDeepStrictEqual(structuredClone(meant), structuredClone(parse(after)));
  } catch {
    return false;
  }
}
