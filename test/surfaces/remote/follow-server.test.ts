/** What is told of the changes of a server that others cut off, replace or stop; over real connections. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openChanges } from '../../../src/surfaces/remote/follow-server.ts';
import { RUN_HEADER } from '../../../src/surfaces/remote/request-json.ts';
import { readServerLock, type ServerLock } from '../../../src/surfaces/remote/server-lock.ts';
import { createServed } from '../http/served.ts';

const signal = new AbortController().signal;

test('of another run of the server it is said that something may have been missed', async () => {
  await using served = await createServed();
  await served.ready();
  const lock = readServerLock(served.indexPath)!;
  const leave = new AbortController();
  const stream = (await openChanges(lock, { signal: leave.signal, after: 'another:7' }))!;
  let missed = 0;
  const ended = stream.follow({ onMissed: () => missed++, onChanges: () => leave.abort() });
  await expect.poll(() => missed).toBe(1);
  served.write('new.md', '# New\n');
  expect(await ended).toMatch(new RegExp(`^${lock.run}:\\d+$`));
});

test('a server that shows no sign of life is gone', async () => {
  const lock = await pretend((answer) => void answer.write('retry: 2000\n\nid: run:3\n\n'));
  const stream = (await openChanges(lock, { signal, silenceMs: 200 }))!;
  const told = { onMissed: () => expect.fail(), onChanges: () => expect.fail() };
  expect(await stream.follow(told)).toBe('run:3');
});

test('one that answers for another run, or refuses, is not followed', async () => {
  const lock = await pretend((answer) => answer.end());
  expect(await openChanges({ ...lock, run: 'other' }, { signal })).toBeUndefined();
  expect(await openChanges({ ...lock, port: 1 }, { signal })).toBeUndefined();
});

/** A server that says it is well, and answers who listens in its own way. */
async function pretend(
  answerEvents: (answer: import('node:http').ServerResponse) => void,
): Promise<ServerLock> {
  const server = createServer((request, answer) => {
    answer.setHeader(RUN_HEADER, 'run');
    if (request.url === '/healthz') answer.end('{}');
    else answerEvents(answer);
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
    ...{ pid: process.pid, process_start: '' },
  };
}
