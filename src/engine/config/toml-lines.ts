/** Finds the line of a TOML file on which a key stands; the parser tells lines of syntax errors only. */
import { parse } from 'smol-toml';

/**
 * @param text a file that parses
 * @param path as in an error of its schema: names, and places in lists of tables
 * @returns 1-based line of the key, of the table or inline table it stands in where it has none, else undefined
 */
export function lineOfKey(text: string, path: readonly PropertyKey[]): number | undefined {
  const wanted = path.map(String);
  let best: { readonly depth: number; readonly line: number } | undefined;
  for (const { path: found, line } of keyLines(text)) {
    if (found.length > wanted.length || found.some((step, index) => step !== wanted[index])) continue;
    if (!best || found.length > best.depth) best = { depth: found.length, line };
  }
  return best?.line;
}

interface KeyLine {
  readonly path: readonly string[];
  readonly line: number;
}

/** Lines that begin a table or a key. What is inside a value of several lines is passed over. */
function* keyLines(text: string): Iterable<KeyLine> {
  const counts = new Map<string, number>();
  let table: readonly string[] = [];
  let open = '';
  for (const [index, line] of text.split('\n').entries()) {
    const line1 = index + 1;
    if (open !== '') {
      open = isWhole(`${open}\n${line}`) ? '' : `${open}\n${line}`;
      continue;
    }
    const header = /^\s*(\[\[?)(.+?)\]\]?\s*(#.*)?$/.exec(line);
    const name = /^\s*((?:"[^"]*"|'[^']*'|[^=#"'\s])(?:"[^"]*"|'[^']*'|[^=#"'])*)=/.exec(line);
    if (header && !name) {
      table = steps(header[2]!);
      if (header[1] === '[[') {
        const place = counts.get(table.join('\0')) ?? 0;
        counts.set(table.join('\0'), place + 1);
        table = [...table, String(place)];
      }
      yield { path: table, line: line1 };
    } else if (name) {
      yield { path: [...table, ...steps(name[1]!)], line: line1 };
      if (!isWhole(line)) open = line;
    }
  }
}

/** A key with its value stands alone when it parses. */
function isWhole(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `search."a.b"` → `search`, `a.b`; names with escapes are those that the parser reads. */
function steps(dotted: string): string[] {
  const names: string[] = [];
  for (let at: unknown = parse(`${dotted} = 0`); typeof at === 'object' && at !== null; ) {
    const [[name, inner] = ['', undefined]] = Object.entries(at);
    names.push(name);
    at = inner;
  }
  return names;
}
