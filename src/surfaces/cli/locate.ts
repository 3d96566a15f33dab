/** Paths of documents relative to the working directory, so that `path:line` can be clicked. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { oneLine } from '../../core/text/one-line.ts';
import type { IndexLocation } from '../../engine/config/locate-index.ts';

/** Returns a function from a collection and a path inside it to the path of the file, on one line. A commit keeps its id. */
export function createLocate(
  location: () => IndexLocation,
): (collection: string, path: string, file?: string) => string {
  // Read with the first path: an answer without paths may be about an unreadable configuration.
  let roots: ReadonlyMap<string, string> | undefined;
  return (collection, path, file) => {
    if (file !== undefined) return oneLine(relative(process.cwd(), file) || path);
    roots ??= new Map(
      location()
        .config.collections.filter(({ kind }) => kind !== 'git')
        .map(({ name, root }) => [name, root]),
    );
    const root = roots.get(collection);
    if (root === undefined) return oneLine(`${collection}/${path}`);
    return oneLine(relative(process.cwd(), isFile(root) ? root : join(root, path)) || path);
  };
}

/** The root of a collection may be one file. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
