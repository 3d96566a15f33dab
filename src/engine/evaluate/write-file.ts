/** Writes files that users ask for. If writing fails, the error names the file and what to do. */
import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { DocfuseError } from '../../core/errors.ts';

/**
 * Replaces a file in one step by a complete new file. A link is replaced, and its target is not written.
 * @throws DocfuseError `storage`
 */
export async function replaceFile(file: string, text: string, remedy: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}.new`;
  await writeFile(fresh, text, { flag: 'wx' })
    .then(() => rename(fresh, file))
    .catch(cannotWrite(file, remedy));
}

/** Returns a handler for errors of writing. It throws an error that names the file. */
export function cannotWrite(
  file: string,
  remedy = 'Name a file that you may write.',
): (cause: Error) => never {
  return (cause) => {
    throw new DocfuseError('storage', `Cannot write ${file}: ${cause.message}.`, remedy, { cause });
  };
}
