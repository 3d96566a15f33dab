/** Errors for a root that cannot be listed. The index then keeps the documents of that root. */
import { DocfuseError } from '../../core/errors.ts';

/** @param cause the error of the system */
export function rootAway(root: string, cause: unknown): DocfuseError {
  const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  return new DocfuseError(
    'not_found',
    missing ? `There is no file or folder ${root}.` : `${root} cannot be read (${(cause as Error).message}).`,
    missing ? 'Check the path.' : 'Check its permissions.',
    { cause },
  );
}

/** The error for an empty root that had documents before. */
export function rootEmpty(root: string): DocfuseError {
  return new DocfuseError(
    'not_found',
    `There is nothing in ${root}, as where a drive is not mounted.`,
    'Bring its files back; if they are meant to be gone, forget them with `docfuse index --rebuild`.',
  );
}
