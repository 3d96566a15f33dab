/** Finds the line of a TOML file on which a key stands; the parser tells lines of syntax errors only. */
import { parse } from 'smol-toml';

/**
 * @param text a file that parses
 * @param path as in an error of its schema: names, and places in lists of tables
 * @returns 1-based line of the key, else of the table or inline table it would stand in, else undefined
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
    if (!names) continue; // a value of several lines
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
    // `[search.advanced]` tells where `search` is, if nothing else does.
    const depth = found.length <= wanted.length ? found.length : wanted.length - 0.5;
    if (names.length > 0 && isOnTheWay && depth > (best?.depth ?? 0)) best = { depth, line: begin };
  }
  return best?.line;
}

/** The path of the one key or table of a statement, empty for a comment; undefined for a part of a statement, which does not parse. */
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
