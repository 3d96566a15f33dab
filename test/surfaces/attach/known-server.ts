/** What a command knows of the server of an index. */
import { readDiscoveryFile } from '../../../src/surfaces/attach/discovery-file.ts';
import type { KnownServer } from '../../../src/surfaces/attach/server-proof.ts';
import { readServerSecret } from '../../../src/surfaces/attach/server-secret.ts';

export function knownServer(indexPath: string): KnownServer {
  return { ...readDiscoveryFile(indexPath)!, secret: readServerSecret()! };
}
