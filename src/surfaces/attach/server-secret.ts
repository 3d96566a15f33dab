/** The key by which servers of this user prove themselves to commands of this user; it is never sent and stands in no index. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { userStateFolder } from '../../engine/config/places.ts';
import { isOwnFolder, OTHERS_ANYTHING, readOwnFile } from '../../engine/own-file.ts';

/** Length of the key. */
export const SECRET_BYTES = 32;

/** Undefined where no server has made one yet, or where others could have written it. */
export function readServerSecret(folder = userStateFolder()): Uint8Array | undefined {
  if (!isOwnFolder(folder, lstatSync)) return undefined;
  const bytes = readOwnFile(fileOfSecret(folder), { maxBytes: SECRET_BYTES, forbidden: OTHERS_ANYTHING });
  return bytes?.length === SECRET_BYTES ? bytes : undefined;
}

/** Where it is kept. */
export function fileOfSecret(folder: string): string {
  return join(folder, 'server.key');
}
