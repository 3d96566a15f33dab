/** Refuses roots that are not there, and tells those apart that may not be read. */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { DocfuseError } from '../core/errors.ts';

/** @throws DocfuseError `not_found` */
export function requireRoot(root: string): void {
  const trouble = troubleWithRoot(root);
  if (trouble === 'missing')
    throw new DocfuseError('not_found', `There is no file or folder ${root}.`, 'Check the path.');
  if (trouble === 'denied')
    throw new DocfuseError('not_found', `${root} may not be read.`, 'Give yourself the right to read it.');
  if (trouble)
    throw new DocfuseError(
      'not_found',
      `${root} is not a file or folder that can be read (${trouble}).`,
      'Name a folder or a file.',
    );
}

/** Whether a root is not there, or is or may be there and cannot be read, or what it is instead; undefined for one that can. */
export function troubleWithRoot(
  root: string,
): 'missing' | 'denied' | 'a pipe' | 'a socket' | 'a device' | undefined {
  try {
    const stats = statSync(root);
    const isFolder = stats.isDirectory();
    if (!isFolder && !stats.isFile()) return kindOf(stats);
    accessSync(root, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'denied';
  }
}

function kindOf(stats: Stats): 'a pipe' | 'a socket' | 'a device' {
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
