/** Whether a file belongs to another user of this machine, who may read or replace what is written there. */
import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DocfuseError } from '../core/errors.ts';

/**
 * Of a link both it and what it leads to count. Root may do everything anyway, so what is root's is nobody else's.
 * @returns the user as people read it; undefined for one's own file, root's, one that is not there, and on systems without such numbers
 */
export function foreignOwner(file: string): string | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  const foreign = [statsOf(lstatSync, file), statsOf(statSync, file)].find(
    (stats) => stats !== undefined && stats.uid !== own && stats.uid !== 0,
  );
  return foreign && `user ${foreign.uid}`;
}

/**
 * The files of an index, side files and lock among them, that belong to another user.
 * @param file the database
 */
export function foreignFileOf(file: string): { readonly file: string; readonly owner: string } | undefined {
  for (const name of namesIn(dirname(file))) {
    if (!name.startsWith(basename(file))) continue;
    const each = join(dirname(file), name);
    const owner = foreignOwner(each);
    if (owner !== undefined) return { file: each, owner };
  }
  return undefined;
}

/**
 * Text that is written to a file of another user is theirs to read.
 * @param file the database
 * @returns the same
 * @throws DocfuseError `storage` naming file and owner
 */
export function requireOwnFiles(file: string): string {
  const foreign = foreignFileOf(file);
  if (!foreign) return file;
  throw new DocfuseError(
    'storage',
    `${foreign.file} belongs to ${foreign.owner}, not to you, so nothing is written to this index.`,
    'Choose another place for the index, or have its owner bring it up to date.',
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A file that may not be looked at is met again by whoever opens it. */
function statsOf(look: (file: string) => Stats, file: string): Stats | undefined {
  try {
    return look(file);
  } catch {
    return undefined;
  }
}
