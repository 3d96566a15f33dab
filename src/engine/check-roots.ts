/** Checks the roots of an index: whether they can be read, are empty, or contain the index. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { DocfuseError } from '../core/errors.ts';
import { pathInside } from './path-inside.ts';

/** @throws DocfuseError `not_found` */
export function requireRoot(root: string): void {
  const trouble = troubleWithRoot(root);
  if (trouble === 'missing')
    throw new DocfuseError('not_found', `There is no file or folder ${root}.`, 'Check the path.');
  if (trouble === 'denied')
    throw new DocfuseError(
      'not_found',
      `You have no permission to read ${root}.`,
      'Give yourself read permission.',
    );
  if (trouble)
    throw new DocfuseError(
      'not_found',
      `${root} is not a file or folder that can be read (${trouble}).`,
      'Name a folder or a file.',
    );
}

/** Returns the error of a call that only reads, if the folders have no index yet. */
export function noIndexOf(roots: readonly string[]): DocfuseError {
  return new DocfuseError(
    'not_found',
    `There is no index of ${roots.join(', ')}.`,
    `${OTHER_FOLDERS} To index these folders, run docfuse index.`,
  );
}

export const OTHER_FOLDERS = 'If other folders were searched, end the command with their paths.';

/** Why a root cannot be read: `missing`, `denied`, the kind of a special file, or the code of another error. */
type RootTrouble = 'missing' | 'denied' | 'a pipe' | 'a socket' | 'a device' | `error ${string}`;

/** @returns undefined for a readable root */
export function troubleWithRoot(root: string): RootTrouble | undefined {
  try {
    const stats = statSync(root);
    const isFolder = stats.isDirectory();
    if (!isFolder && !stats.isFile())
      return stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
    accessSync(root, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    return code === 'EACCES' || code === 'EPERM' ? 'denied' : `error ${code}`;
  }
}

/**
 * Refuses an empty folder that had documents before: its drive may be unplugged.
 * @throws DocfuseError `not_found`
 */
export function requireFilled(root: string): void {
  if (statSync(root).isDirectory() && readdirSync(root).length === 0) refuseEmpty(root);
}

/** Refuses an empty folder: renewing the index would lose the documents of this folder. @throws DocfuseError `not_found` */
export function refuseEmpty(folder: string): never {
  throw new DocfuseError(
    'not_found',
    `${folder} is empty. An older docfuse made the index, and making it again would lose the documents of this folder.`,
    'If the folder is on a drive, plug the drive in. If it is meant to be empty, rebuild the index: docfuse index --rebuild.',
  );
}

/**
 * Refuses an index inside a root, except in a hidden folder, which is never read.
 * @throws DocfuseError `usage`
 */
export function requireOutside(indexPath: string, roots: readonly string[]): void {
  for (const root of roots) {
    const inside = pathInside(root, indexPath);
    if (inside === undefined || /(^|[\\/])\./.test(inside)) continue;
    throw new DocfuseError(
      'usage',
      `The index ${indexPath} would lie among the documents of ${root}.`,
      'Choose another folder of documents, or set --index to a hidden folder or a folder elsewhere.',
    );
  }
}
