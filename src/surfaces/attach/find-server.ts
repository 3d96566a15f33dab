/** Finds the running server of an index, if its answers would be the same as those of this process. */
import { digestConfig, type IndexLocation } from '../../engine/config/locate-index.ts';
import { isOwnFolder, OTHERS_WRITE } from '../../engine/own-file.ts';
import { VERSION } from '../../engine/version.ts';
import { readDiscoveryFile } from './discovery-file.ts';
import type { KnownServer } from './server-proof.ts';
import { readServerSecret } from './server-secret.ts';

/**
 * The server of this index: its process is alive, it has this version, and the same collections and settings. A proof must still show
 * that this server is at the address.
 * @param cwd from which paths of models are seen. @default the working directory
 */
export function findServer({ config, indexPath }: IndexLocation, cwd?: string): KnownServer | undefined {
  const discovery = readDiscoveryFile(indexPath, OTHERS_WRITE);
  if (discovery?.version !== VERSION || discovery.config !== digestConfig(config, cwd)) return undefined;
  const secret = isOwnFolder(indexPath) ? readServerSecret() : undefined;
  return secret && { ...discovery, secret };
}
