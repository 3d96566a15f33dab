/** What a command knows of the server of an index. */
import { type KnownServer, readDiscoveryFile } from '../../../src/surfaces/attach/discovery-file.ts';
import { readServerSecret } from '../../../src/surfaces/attach/server-secret.ts';

export function knownServer(indexPath: string): KnownServer {
  return { ...readDiscoveryFile(indexPath)!, secret: readServerSecret()! };
}
