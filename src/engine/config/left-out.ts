/** Says which keys of a found configuration file are ignored, and how the user can allow them. */
import { howToTrust, type ReadConfig } from './config-file.ts';

export interface LeftOut {
  /** Such as `embedding.base_url` and `collections.0.path`. */
  readonly keys: readonly string[];
  /** One sentence with the file and its lines. */
  readonly message: string;
  readonly remedy: string;
}

/**
 * @param read the file as it is
 * @param user the user's own, if there is one
 */
export function describeLeftOut(
  keys: readonly string[],
  { file, lineOf }: ReadConfig,
  user: ReadConfig | undefined,
): LeftOut {
  const parts = keys.map((key) => {
    const path = key.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const what = path[0] === 'collections' ? 'the path of a collection outside its folder' : key;
    return `${what} (line ${lineOf(path) ?? 1})`;
  });
  return {
    keys,
    message: `${file} is not trusted, so docfuse leaves out of it ${new Intl.ListFormat('en').format(parts)}.`,
    remedy: `If you want that, ${howToTrust(file, user)}, or name this file yourself with --config ${file}.`,
  };
}
