/** The key with which servers of this user prove their identity to the user's commands. It is never sent or put into an index. */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { userStateFolder } from '../../engine/config/places.ts';
import { isOwnFolder, OTHERS_ANYTHING, readOwnFile } from '../../engine/own-file.ts';
import { placeFile } from './place-file.ts';

const FILE = 'server.key';
const BYTES = 32;

/** Reads the key. Undefined if no server has made a key yet, or if other users have access to it. */
export function readServerSecret(folder = userStateFolder()): Uint8Array | undefined {
  if (!isOwnFolder(folder, lstatSync)) return undefined;
  const bytes = readOwnFile(join(folder, FILE), { maxBytes: BYTES, forbidden: OTHERS_ANYTHING });
  return bytes?.length === BYTES ? bytes : undefined;
}

/**
 * Reads the key, and makes it first if it does not exist. Servers that start at the same time get the same key.
 * @throws DocfuseError `storage` if the key can neither be read nor made, or if other users have access to it
 */
export function makeServerSecret(folder = userStateFolder()): Uint8Array {
  let cause: unknown;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!readServerSecret(folder) && isOwnFolder(folder, lstatSync)) placeSecret(join(folder, FILE));
  } catch (error) {
    cause = error;
  }
  const made = readServerSecret(folder);
  if (made) return made;
  throw new DocfuseError(
    'storage',
    `The server’s key cannot be stored in ${folder}, so commands and assistants open the index themselves instead of asking this server.`,
    'Make sure that you own this folder and that no other user can write to it. Delete server.key in it if that file is a link, is not yours or can be read by others.',
    { cause },
  );
}

function placeSecret(file: string): void {
  // Loaded here: a command that only reads the key starts faster without node:crypto.
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  const draft = `${file}.${randomBytes(9).toString('base64url')}`;
  try {
    writeFileSync(draft, randomBytes(BYTES), { mode: 0o600, flag: 'wx' });
    placeFile(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
