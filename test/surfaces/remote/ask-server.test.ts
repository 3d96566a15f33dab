/** What a client makes of a server that gives no answer, over real HTTP; only the index never comes. */
import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import type { Limits } from '../../../src/surfaces/http/bounded-run.ts';
import { createServer } from '../../../src/surfaces/http/create-server.ts';
import { createEventLog } from '../../../src/surfaces/http/event-log.ts';
import { LOOPBACK_HOSTS } from '../../../src/surfaces/http/guard.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { status } from '../../../src/surfaces/operations/status.ts';
import { askServer } from '../../../src/surfaces/remote/ask-server.ts';
import type { ServerLock } from '../../../src/surfaces/remote/server-lock.ts';

test('a server that stops while it works is no failure: the client does it by itself', async () => {
  await using busy = await startBusy({});
  const asked = askServer(busy.lock, status, {});
  await expect.poll(busy.load).toBe(1);
  busy.stop();
  expect(await asked).toBeUndefined();
});

test('a client that interrupts is told so', async () => {
  await using busy = await startBusy({});
  const own = new AbortController();
  const asked = askServer(busy.lock, status, {}, { signal: own.signal });
  await expect.poll(busy.load).toBe(1);
  own.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

test('too many requests, or too long a one, is index_busy: no second index is opened', async () => {
  await using busy = await startBusy({ running: 1, waiting: 0, timeMs: 300 });
  const slow = askServer(busy.lock, status, {});
  slow.catch(() => {});
  await expect.poll(busy.load).toBe(1);
  await expect(askServer(busy.lock, status, {})).rejects.toMatchObject({
    code: 'index_busy',
    message: 'Too many requests wait already.',
  });
  await expect(slow).rejects.toMatchObject({ code: 'index_busy', message: 'No answer within 0.3 s.' });
});

async function startBusy(limits: Limits) {
  const events = createEventLog({ run: 'test' });
  const http = createServer({
    context: { options: {}, now: () => 0, open: () => new Promise<never>(() => {}) },
    guard: { hosts: LOOPBACK_HOSTS, origins: [], tokens: [] },
    mcp: () => () => new McpServer({ name: 'here', version: '0' }),
    ...{ events, limits, version: '0', run: 'test' },
  });
  const { port, close } = await listen(http.fetch, { host: '127.0.0.1', port: 0 });
  const lock: ServerLock = {
    ...{ version: '0', run: 'test', key: 'key', host: '127.0.0.1', port, index_path: '', config: '' },
    ...{ pid: process.pid, process_start: '' },
  };
  return {
    lock,
    load: http.load,
    stop: http.close,
    async [Symbol.asyncDispose]() {
      http.close();
      await close(100);
    },
  };
}
