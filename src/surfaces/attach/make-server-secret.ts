/** Makes the key of servers; apart from reading it, for a command would load what makes random numbers in vain. */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { DocfuseError } from '../../core/errors.ts';
import { userStateFolder } from '../../engine/config/places.ts';
import { isOwnFolder } from '../../engine/own-file.ts';
import { placeFile } from './place-file.ts';
import { fileOfSecret, readServerSecret, SECRET_BYTES } from './server-secret.ts';

/**
 * The key, made where there is none yet; of servers that start at once, all get the same.
 * @throws DocfuseError `storage` where it can neither be read nor made, or others could have written it
 */
export function makeServerSecret(folder = userStateFolder()): Uint8Array {
  let cause: unknown;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!readServerSecret(folder) && isOwnFolder(folder, lstatSync)) placeSecret(fileOfSecret(folder));
  } catch (error) {
    cause = error;
  }
  const made = readServerSecret(folder);
  if (made) return made;
  throw new DocfuseError(
    'storage',
    `No key can be kept in ${folder}, so commands and assistants do not ask this server and open the index themselves.`,
    'Make it a folder of your own that no other user can write to, and remove a server.key in it that is a link, is not yours or can be read by others.',
    { cause },
  );
}

function placeSecret(file: string): void {
  const draft = `${file}.${randomBytes(9).toString('base64url')}`;
  try {
    writeFileSync(draft, randomBytes(SECRET_BYTES), { mode: 0o600, flag: 'wx' });
    placeFile(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
