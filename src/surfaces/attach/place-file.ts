/** Gives a finished file its final name, unless a file with that name exists. */
import { constants, copyFileSync, linkSync } from 'node:fs';

/** Errors of file systems without hard links: FAT, some network and container mounts. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV']);

/**
 * Links the draft to the name `file`, so that nobody sees a partial file. If the file system has no links, the draft is copied.
 * @returns false if `file` exists
 */
export function placeFile(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
  }
  try {
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
