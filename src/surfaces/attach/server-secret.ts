/** The key by which servers of this user prove themselves to commands of this user; it is never sent and stands in no index. */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { userStateFolder } from '../../engine/config/places.ts';
import { isOwnFolder, OTHERS_ANYTHING, readOwnFile } from '../../engine/own-file.ts';
import { placeFile } from './place-file.ts';

const BYTES = 32;

/** Undefined where no server has made one yet, or where others could have written it. */
export function readServerSecret(folder = userStateFolder()): Uint8Array | undefined {
  if (!isPlainOwnFolder(folder)) return undefined;
  const bytes = readOwnFile(fileIn(folder), { maxBytes: BYTES, forbidden: OTHERS_ANYTHING });
  return bytes?.length === BYTES ? bytes : undefined;
}

/**
 * The key, made where there is none yet; of servers that start at once, all get the same.
 * @throws DocfuseError `storage` where it can neither be read nor made, or others could have written it
 */
export function makeServerSecret(folder = userStateFolder()): Uint8Array {
  let cause: unknown;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!readServerSecret(folder) && isPlainOwnFolder(folder)) placeSecret(fileIn(folder));
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
    writeFileSync(draft, randomBytes(BYTES), { mode: 0o600, flag: 'wx' });
    placeFile(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function fileIn(folder: string): string {
  return join(folder, 'server.key');
}

function isPlainOwnFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && isOwnFolder(folder);
}
