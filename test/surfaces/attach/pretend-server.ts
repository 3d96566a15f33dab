/** A server on a real port that says it is well and answers in its own way, or not at all. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { RUN_HEADER } from '../../../src/surfaces/attach/request-json.ts';
import { processStart, type ServerNote } from '../../../src/surfaces/attach/server-note.ts';

export interface PretendOptions {
  /** How often it says that it is well before it falls silent. @default always */
  readonly well?: number;
  /** Anything else that is asked. @default silence */
  readonly answer?: (response: ServerResponse) => void;
}

/** Ends with the test. @returns the note it would leave */
export async function pretendServer({
  well = Infinity,
  answer = () => {},
}: PretendOptions = {}): Promise<ServerNote> {
  let said = 0;
  const server = createServer((request, response) => {
    response.setHeader(RUN_HEADER, 'run');
    if (request.url !== '/healthz') answer(response);
    else if (said++ < well) response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    ...{ version: '0', run: 'run', key: 'key', host: '127.0.0.1', port, index_path: '', config: '' },
    ...{ pid: process.pid, process_start: processStart(process.pid) },
  };
}
