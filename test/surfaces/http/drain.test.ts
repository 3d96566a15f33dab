/** A server that is told to stop finishes what it has begun: the real command, a question that takes long, and SIGTERM. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askServer } from '../../../src/surfaces/attach/ask-server.ts';
import { status } from '../../../src/surfaces/operations/status.ts';
import { startBusy } from '../attach/busy.ts';
import { createPlayground } from '../cli/docfuse.ts';
import { startServe } from '../cli/start-serve.ts';

test('after SIGTERM a running answer ends, new requests get 503, and the process exits', async () => {
  using playground = createPlayground({ 'docs/a.md': '# Lantern\n\nHow to light a lantern in the rain.\n' });
  const { url: service, asked } = await startSlowService();
  const { child, exited, url } = await startServe(playground, ['docs'], {
    ...{ DOCFUSE_ANSWER_BASE_URL: service, DOCFUSE_ANSWER_MODEL: 'slow' },
  });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const answer = fetch(`${url}/api/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"question": "how do I light a lantern"}',
  });
  const held = await asked;
  child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${url}/healthz`)).status).toBe(503);
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'draining' });
  const refused = await fetch(`${url}/api/search?query=lantern`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ code: 'stopping' });
  held.end('data: {"choices":[{"delta":{"content":"With care [1]."}}]}\n\ndata: [DONE]\n\n');
  const given = await answer;
  expect(given.status).toBe(200);
  expect(await given.json()).toMatchObject({ answered: true, answer: 'With care [1].' });
  expect(await exited).toBe(0);
});

test('work that does not end is waited for no longer than asked', async () => {
  await using busy = await startBusy();
  const asked = askServer(busy.note, status, {});
  await expect.poll(busy.load).toBe(1);
  const began = performance.now();
  await busy.drain(200);
  expect(performance.now() - began).toBeGreaterThan(190);
  expect(busy.load()).toBe(1);
  // A command that asks now does the work itself.
  expect(await askServer(busy.note, status, {})).toBeUndefined();
  busy.stop();
  await asked;
});

/** Begins each answer, and leaves it to the test to end it. */
async function startSlowService() {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    resolve(response.writeHead(200, { 'content-type': 'text/event-stream' }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}
