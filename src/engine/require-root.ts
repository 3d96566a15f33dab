/** Refuses roots that are not there, and tells those apart that may not be read. */
import { accessSync, constants, statSync } from 'node:fs';
import { DocfuseError } from '../core/errors.ts';

/** @throws DocfuseError `not_found` */
export function requireRoot(root: string): void {
  const trouble = troubleWithRoot(root);
  if (trouble === 'missing')
    throw new DocfuseError('not_found', `There is no file or folder ${root}.`, 'Check the path.');
  if (trouble === 'denied')
    throw new DocfuseError('not_found', `${root} may not be read.`, 'Give yourself the right to read it.');
}

/** Whether a root is not there, or is or may be there and cannot be read; undefined for one that can. */
export function troubleWithRoot(root: string): 'missing' | 'denied' | undefined {
  try {
    const isFolder = statSync(root).isDirectory();
    accessSync(root, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'denied';
  }
}
