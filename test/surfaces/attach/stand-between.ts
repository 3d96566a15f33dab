/** A server in the place of another one, made by somebody who has the user's key: it passes on what is said. */
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DiscoveryFile } from '../../../src/surfaces/attach/discovery-file.ts';
import { proofOf } from '../../../src/surfaces/attach/server-proof.ts';
import { readServerSecret } from '../../../src/surfaces/attach/server-secret.ts';
import type { Running } from '../cli/start-serve.ts';
import { listenOn } from './listen-on.ts';

export interface Between {
  /** What is said to clients is held back, on connections that are there. */
  hold(): void;
  /** Ends the connections that are there. */
  cut(): void;
}

/**
 * @param stateHome of the server's environment
 * @param onRequest told what is asked beside challenges, such as `POST /api/search`
 */
export async function standBetween(
  { lockFile }: Pick<Running, 'lockFile'>,
  stateHome: string,
  onRequest: (request: string) => void = () => {},
): Promise<Between> {
  const note = JSON.parse(readFileSync(lockFile, 'utf8')) as DiscoveryFile;
  const secret = readServerSecret(join(stateHome, 'docfuse'))!;
  const clients = new Map<Socket, Socket>();
  const proxy = createServer((client) => {
    const server = connect(note.port, note.host);
    clients.set(client, server);
    for (const end of [client, server]) {
      end.on('error', () => {});
      end.on('close', () => [client, server].forEach((each) => void each.destroy()));
    }
    client.on('data', (data) => {
      const challenge = /^GET \/healthz\?challenge=(\w+)/.exec(String(data))?.[1];
      if (challenge !== undefined) {
        const body = JSON.stringify({ proof: proofOf(secret, { ...note, port }, challenge) });
        client.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        return;
      }
      for (const request of String(data).match(/^(GET|POST) \S+/gm) ?? []) onRequest(request);
      server.write(data);
    });
    server.pipe(client);
  });
  const port = await listenOn(proxy);
  onTestFinished(() => cut());
  writeFileSync(lockFile, JSON.stringify({ ...note, port }));

  function cut(): void {
    for (const client of clients.keys()) client.destroy();
    clients.clear();
  }
  return {
    hold() {
      for (const [client, server] of clients) server.unpipe(client);
    },
    cut,
  };
}
