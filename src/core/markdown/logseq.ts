/** Reads what is special in Logseq: properties above the text, and the names of its files. */
import { decodePercent } from '../text/anchor-name.ts';
import { isoDate } from '../text/dates.ts';

/** Max UTF-16 units, as for front matter. */
const MAX_LENGTH = 64 * 1024;
/** Lines such as `alias:: Tomatoes, [[Love apples]]` at the start of a file. */
const PROPERTIES = /^(?:\p{L}[\p{L}\p{N}_-]{0,99}::[ \t]+\S.*(?:\n|$))+/u;

/** Returns the properties at the start of a page, and their text. `alias` and `tags` are lists, as in front matter. */
export function readProperties(file: string) {
  const source = PROPERTIES.exec(file)?.[0];
  if (source === undefined || source.length > MAX_LENGTH) return undefined;
  const entries = source
    .trimEnd()
    .split('\n')
    .map((line): [string, unknown] => {
      const [key = ''] = line.split('::', 1);
      const value = line.slice(key.length + 2).trim();
      const name = key === 'alias' ? 'aliases' : key;
      return [name, name === 'aliases' || name === 'tags' ? namesIn(value) : value];
    });
  return { values: Object.fromEntries(entries), source };
}

/** Names between commas; a name may be written as a link. */
function namesIn(value: string): readonly string[] {
  return value
    .split(',')
    .map((name) => name.trim().replace(/^#?\[\[(.*)\]\]$/u, '$1'))
    .filter(Boolean);
}

/** Returns the name of the page in a file such as `pages/plants___tomato.md`: `plants/tomato`. In old graphs, `%2F` is the slash. */
export function pageName(path: string, name: string): string {
  return /(?:^|\/)pages\/[^/]*$/.test(path) ? decodePercent(name).replaceAll('___', '/') : name;
}

/** Returns the date in the name of a journal such as `journals/2026_11_20.md`. */
export function journalDate(path: string): string | undefined {
  const name = /(?:^|\/)journals\/(\d{4}_\d\d_\d\d)\.\w+$/.exec(path)?.[1];
  return name && isoDate(name.replaceAll('_', '-'));
}
