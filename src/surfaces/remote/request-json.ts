/** One HTTP request to a running server. Node's plain client: a command line should not load a larger one for it. */
import type { ServerLock } from './server-lock.ts';

export interface JsonRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @throws what the network or the signal says; an answer that is not JSON is an error, too */
export function requestJson(
  { host, port, key }: Pick<ServerLock, 'host' | 'port' | 'key'>,
  { method, path, body, signal }: JsonRequest,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    // Imported as a module, node:http would load a whole fetch along with it.
    const { request } = process.getBuiltinModule('node:http');
    const outgoing = request({ host, port, method, path, headers, ...(signal && { signal }) }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        try {
          const text = Buffer.concat(parts).toString('utf8');
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) });
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
