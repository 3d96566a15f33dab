/** What a command knows of the server of an index. */
import { readServerNote } from '../../../src/surfaces/attach/server-note.ts';
import type { KnownServer } from '../../../src/surfaces/attach/server-proof.ts';
import { readServerSecret } from '../../../src/surfaces/attach/server-secret.ts';

export function knownServer(indexPath: string): KnownServer {
  return { ...readServerNote(indexPath)!, secret: readServerSecret()! };
}
