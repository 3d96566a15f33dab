/** What a client makes of a server that gives no answer, over real HTTP; only the index never comes. */
import { expect, test } from 'vitest';
import { askServer } from '../../../src/surfaces/attach/ask-server.ts';
import { status } from '../../../src/surfaces/operations/status.ts';
import { startBusy } from './busy.ts';
import { pretendServer } from './pretend-server.ts';

test('a server that stops while it works is no failure: the client does it by itself', async () => {
  await using busy = await startBusy({});
  const asked = askServer(busy.note, status, {});
  await expect.poll(busy.load).toBe(1);
  busy.stop();
  expect(await asked).toBeUndefined();
});

test('a client that interrupts is told so', async () => {
  await using busy = await startBusy({});
  const own = new AbortController();
  const asked = askServer(busy.note, status, {}, { signal: own.signal });
  await expect.poll(busy.load).toBe(1);
  own.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

test('too many requests, or too long a one, is index_busy: no second index is opened', async () => {
  await using busy = await startBusy({ running: 1, waiting: 0, timeMs: 300 });
  const slow = askServer(busy.note, status, {});
  slow.catch(() => {});
  await expect.poll(busy.load).toBe(1);
  await expect(askServer(busy.note, status, {})).rejects.toMatchObject({
    code: 'index_busy',
    message: 'Too many requests are waiting.',
  });
  await expect(slow).rejects.toMatchObject({ code: 'index_busy', message: 'No answer within 0.3 s.' });
});

test('a server that hangs in the middle of its work is not waited for', async () => {
  const began = performance.now();
  expect(await askServer(await pretendServer({ well: 2 }), status, {})).toBeUndefined();
  expect(performance.now() - began, 'it was there twice').toBeGreaterThan(3_000);
});

test.each(['{}', 'null', '[]', '{"index": 1}'])(
  'an answer %s that makes no sense is told in a sentence',
  async (body) => {
    const server = await pretendServer({ answer: (response) => response.end(body) });
    await expect(askServer(server, status, {})).rejects.toMatchObject({
      code: 'remote',
      message: `The server at http://127.0.0.1:${server.port} sent an answer without required fields.`,
    });
  },
);

test.each(['{}', 'null'])(
  'too much to do, without a reason (%s): the client does it by itself',
  async (body) => {
    const server = await pretendServer({
      answer: (response) => response.writeHead(503).end(body),
    });
    expect(await askServer(server, status, {})).toBeUndefined();
  },
);
