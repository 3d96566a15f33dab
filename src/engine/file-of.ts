/** Finds the file of a document. */
import { basename, join } from 'node:path';
import { isArchive, isFolder } from './path-inside.ts';
import type { CollectionRoot } from './workspace/workspace-parts.ts';

/** Makes a function that returns the absolute path of a document; undefined for a commit, and for a file in an archive. */
export function createFileOf(
  collections: readonly CollectionRoot[],
): (document: { readonly collection: string; readonly path: string }) => string | undefined {
  const roots = new Map(
    collections.flatMap(({ name, kind, root }) => (kind === 'git' || isArchive(root) ? [] : [[name, root]])),
  );
  return ({ collection, path }) => {
    const root = roots.get(collection);
    if (root === undefined) return undefined;
    // The root of a collection may be one file.
    return basename(root) === path && !isFolder(root) ? root : join(root, path);
  };
}
