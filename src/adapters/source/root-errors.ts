/** Errors for a root that cannot be listed. The index then keeps the documents of that root. */
import { DocfuseError } from '../../core/errors.ts';

/** @param cause the error of the system */
export function rootUnreadable(root: string, cause: unknown): DocfuseError {
  const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  return new DocfuseError(
    'not_found',
    missing ? `There is no file or folder ${root}.` : `${root} cannot be read (${(cause as Error).message}).`,
    missing ? 'Check the path.' : 'Check its permissions.',
    { cause },
  );
}

/** Returns the error for an empty root that had documents before. */
export function rootEmpty(root: string): DocfuseError {
  return new DocfuseError(
    'not_found',
    `${root} is empty. Maybe its drive is not mounted.`,
    'Restore its files. If you removed them on purpose, run `docfuse index --rebuild` to remove them from the index.',
  );
}
