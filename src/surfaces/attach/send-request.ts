/** One HTTP request to a running server. Node's plain client: a command line should not load a larger one for it. */
import type { IncomingMessage } from 'node:http';
import type { ServerNote } from './server-note.ts';

export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Types of content that will do. */
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** @throws what the network or the signal says; for an address that is not one of this machine nothing is sent */
export function sendRequest(
  { host, port, key }: Pick<ServerNote, 'host' | 'port' | 'key'>,
  { method, path, accept, headers: more, body, signal }: PlainRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      accept,
      ...more,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    // Imported as a module, node:http would load a whole fetch along with it.
    const { request } = process.getBuiltinModule('node:http');
    // A note may have come along with a folder: from its own address only this machine reaches the one that it names.
    const here = { host, localAddress: host };
    const outgoing = request({ ...here, port, method, path, headers, ...(signal && { signal }) }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
