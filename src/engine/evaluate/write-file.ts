/** Writes files that users asked for, and says so in plain words if that fails. */
import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { DocfuseError } from '../../core/errors.ts';

/**
 * Replaces a file at once by a complete new one. What lies beside it, such as a link, is never written through.
 * @throws DocfuseError `storage`
 */
export async function replaceFile(file: string, text: string, remedy: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}.new`;
  await writeFile(fresh, text, { flag: 'wx' })
    .then(() => rename(fresh, file))
    .catch(cannotWrite(file, remedy));
}

/** Turns the failure of a write into an error that names the file. */
export function cannotWrite(file: string, remedy = 'Name a file you may write.'): (cause: Error) => never {
  return (cause) => {
    throw new DocfuseError('storage', `Cannot write ${file}: ${cause.message}.`, remedy, { cause });
  };
}
