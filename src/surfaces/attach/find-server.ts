/** Finds the running server of an index, if its answers would be the same as those of this process. */
import { digestConfig, type IndexLocation } from '../../engine/config/locate-index.ts';
import { isOwnFolder, OTHERS_WRITE } from '../../engine/own-file.ts';
import { VERSION } from '../../engine/version.ts';
import { readServerNote } from './server-note.ts';
import type { KnownServer } from './server-proof.ts';
import { readServerSecret } from './server-secret.ts';

/**
 * The note of a server of this index whose process is alive: of this version, with the same collections and settings. Whether
 * that server is at the address is proven before it is asked.
 * @param cwd from which paths of models are seen. @default the working directory
 */
export function findServer({ config, indexPath }: IndexLocation, cwd?: string): KnownServer | undefined {
  const note = readServerNote(indexPath, OTHERS_WRITE);
  if (note?.version !== VERSION || note.config !== digestConfig(config, cwd)) return undefined;
  const secret = isOwnFolder(indexPath) ? readServerSecret() : undefined;
  return secret && { ...note, secret };
}
