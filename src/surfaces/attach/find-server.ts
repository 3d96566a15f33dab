/** Finds the running server of an index if it gives the same answers as this process. */
import { digestConfig, type IndexLocation } from '../../engine/config/locate-index.ts';
import { isOwnFolder, OTHERS_WRITE } from '../../engine/own-file.ts';
import { VERSION } from '../../engine/version.ts';
import { readDiscoveryFile } from './discovery-file.ts';
import type { KnownServer } from './server-proof.ts';
import { readServerSecret } from './server-secret.ts';

/**
 * Returns the server of this index if its process runs and its version, collections and settings are the same as here.
 * The caller must still ask for a proof that this server is at the address.
 * @param cwd folder that relative paths of models refer to. @default the working directory
 */
export function findServer({ config, indexPath }: IndexLocation, cwd?: string): KnownServer | undefined {
  const discovery = readDiscoveryFile(indexPath, OTHERS_WRITE);
  if (discovery?.version !== VERSION || discovery.config !== digestConfig(config, cwd)) return undefined;
  const secret = isOwnFolder(indexPath) ? readServerSecret() : undefined;
  return secret && { ...discovery, secret };
}
