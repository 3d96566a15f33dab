/** A real server on a real port whose index never comes, so that every operation runs until it is stopped. */
import { McpServer } from '@modelcontextprotocol/server';
import { type KnownServer, processStart } from '../../../src/surfaces/attach/discovery-file.ts';
import { proofOf } from '../../../src/surfaces/attach/server-proof.ts';
import type { Limits } from '../../../src/surfaces/http/bounded-run.ts';
import { createServer } from '../../../src/surfaces/http/create-server.ts';
import { createEventLog } from '../../../src/surfaces/http/event-log.ts';
import { LOOPBACK_HOSTS } from '../../../src/surfaces/http/guard.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';

export interface Busy extends AsyncDisposable {
  /** The note it would leave, and its key. */
  readonly note: KnownServer;
  /** Operations that run or wait. */
  load(): number;
  /** Requests whose clients hung up before there was an answer. */
  hungUp(): number;
  drain(maxMs: number): Promise<void>;
  stop(): void;
}

/** @param known what its note says in place of what is made up */
export async function startBusy(limits: Limits = {}, known: Partial<KnownServer> = {}): Promise<Busy> {
  const events = createEventLog({ run: 'test' });
  const http = createServer({
    context: { options: {}, now: () => 0, open: () => new Promise<never>(() => {}) },
    guard: { hosts: LOOPBACK_HOSTS, origins: [], tokens: [] },
    mcp: () => () => new McpServer({ name: 'here', version: '0' }),
    ...{ events, limits, version: '0', prove: (challenge) => proofOf(note.secret, note, challenge) },
  });
  let hungUp = 0;
  function fetch(request: Request): Promise<Response> {
    request.signal.addEventListener('abort', () => {
      hungUp++;
    });
    return http.fetch(request);
  }
  const { port, close } = await listen(fetch, { host: '127.0.0.1', port: 0 });
  const note: KnownServer = {
    ...{ version: '0', run: 'test', host: '127.0.0.1', port, index_path: '', config: '' },
    ...{ pid: process.pid, process_start: processStart(process.pid), secret: new Uint8Array(32) },
    ...known,
  };
  return {
    note,
    load: http.load,
    hungUp: () => hungUp,
    ...{ drain: http.drain, stop: http.close },
    async [Symbol.asyncDispose]() {
      http.close();
      await close(100);
    },
  };
}
