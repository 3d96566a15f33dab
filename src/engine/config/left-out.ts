/** Says which keys of a found configuration file are ignored, and how the user can allow them. */
import { safeJson } from '../../core/text/one-line.ts';
import { howToTrust, type ReadConfig } from './config-file.ts';

export interface LeftOut {
  /** Such as `embedding.base_url` and `collections.0.path`. */
  readonly keys: readonly string[];
  /** One sentence with the file, what it sets and on which lines: the user decides by the values. */
  readonly message: string;
  readonly remedy: string;
}

/** Characters of a value that are shown. */
const SHOWN = 60;

/**
 * @param read the file as it is
 * @param user the user's own, if there is one
 */
export function describeLeftOut(
  keys: readonly string[],
  { file, tree, lineOf }: ReadConfig,
  user: ReadConfig | undefined,
): LeftOut {
  const parts = keys.map((key) => {
    const path = key.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const what = path[0] === 'collections' ? 'the path of a collection outside its folder' : key;
    return `${what} = ${valueAt(tree, path)} (line ${lineOf(path) ?? 1})`;
  });
  return {
    keys,
    message: `${file} is not trusted, so docfuse leaves out of it ${new Intl.ListFormat('en').format(parts)}.`,
    remedy: `If you want that, ${howToTrust(file, user)}, or name this file yourself with --config ${file}.`,
  };
}

/** As JSON on one line; cut where it is long. */
function valueAt(tree: unknown, path: readonly (string | number)[]): string {
  const value = path.reduce((at, step) => (at as Readonly<Record<string | number, unknown>>)?.[step], tree);
  const text = safeJson(value ?? null);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}
