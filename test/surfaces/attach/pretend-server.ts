/** A server on a real port that proves itself and answers in its own way, or not at all. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type KnownServer, processStart } from '../../../src/surfaces/attach/discovery-file.ts';
import { proofOf } from '../../../src/surfaces/attach/server-proof.ts';

export interface PretendOptions {
  /** How often it proves itself before it falls silent. @default always */
  readonly well?: number;
  /** Anything else that is asked. @default silence */
  readonly answer?: (response: ServerResponse) => void;
}

/** Ends with the test. @returns what is known of it */
export async function pretendServer({
  well = Infinity,
  answer = () => {},
}: PretendOptions = {}): Promise<KnownServer> {
  let said = 0;
  const server = createServer((request, response) => {
    const challenge = /^\/healthz\?challenge=(.*)$/.exec(request.url!)?.[1];
    if (challenge === undefined) answer(response);
    else if (said++ < well) response.end(JSON.stringify({ proof: proofOf(known.secret, known, challenge) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const known: KnownServer = {
    ...{ version: '0', run: 'run', host: '127.0.0.1', port, index_path: '', config: '' },
    ...{ pid: process.pid, process_start: processStart(process.pid), secret: new Uint8Array(32) },
  };
  return known;
}
