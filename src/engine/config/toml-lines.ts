/** Finds the line of a key in a TOML file. The TOML parser reports lines only for syntax errors. */
import { parse } from 'smol-toml';

/**
 * @param text valid TOML
 * @param path names of tables and key, and 0-based positions in lists of tables, as in an issue of zod
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
    // The header `[search.advanced]` is the line of `search` if no line names `search` itself.
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
