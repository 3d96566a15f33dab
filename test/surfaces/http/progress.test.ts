/** What a client is told while its request is under way. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Outcome } from '../../../src/surfaces/http/bounded-run.ts';
import { describeRefusal } from '../../../src/surfaces/http/refusal.ts';
import { respond } from '../../../src/surfaces/http/respond.ts';
import { eventsOf } from './described.ts';
import { createServed } from './served.ts';

const ACCEPT = 'application/json, text/event-stream';
const HALF = { phase: 'read', done: 1, total: 2 } as const;

test('over HTTP: progress first, and last of all the answer that others get as JSON', async () => {
  await using served = await createServed();
  for (let each = 0; each < 200; each++) served.write(`lantern/${each}.md`, `# Lantern ${each}\n\nShines.\n`);
  const answer = await served.post(
    '/api/search',
    { query: 'lantern 7', min_confidence: 0 },
    { accept: ACCEPT },
  );
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const events = await eventsOf(answer);
  expect(events.length).toBeGreaterThan(1);
  for (const { event, data } of events.slice(0, -1)) {
    expect(event).toBe('progress');
    expect(data).toMatchObject({ phase: expect.stringMatching(/read|embed/), done: expect.any(Number) });
  }
  expect(events.at(-1)).toMatchObject({
    event: 'answer',
    data: { query: 'lantern 7', hits: expect.any(Array) },
  });
});

test('nothing is told to who did not ask for it, nor where there is no progress', async () => {
  const plain = await answerOf({ output: { n: 1 } }, { accept: 'application/json', progress: true });
  const quick = await answerOf({ output: { n: 1 } }, { accept: ACCEPT, progress: false });
  for (const answer of [plain, quick]) {
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ n: 1 });
  }
});

test('a problem is a problem document, or the last event', async () => {
  const problem = describeRefusal(
    'took_too_long',
    'No answer within 1 s.',
    'Send a smaller request, or send it later.',
  );
  const quick = await answerOf({ problem }, { accept: ACCEPT, progress: false });
  expect([quick.status, quick.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
  const slow = await answerOf({ problem }, { accept: ACCEPT, progress: true });
  expect(await eventsOf(slow)).toEqual([
    { event: 'progress', data: HALF },
    { event: 'problem', data: problem },
  ]);
});

test('a failure after the first event ends the stream', async () => {
  const request = new Request('http://127.0.0.1/', { headers: { accept: ACCEPT } });
  const answer = await respond(request, async ({ onProgress }) => {
    onProgress?.(HALF);
    throw new Error('lost');
  });
  expect(await eventsOf(answer)).toEqual([{ event: 'progress', data: HALF }]);
});

test('a client that goes away while it is told is no failure', async () => {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const request = new Request('http://127.0.0.1/', { headers: { accept: ACCEPT } });
  const answer = await respond(request, ({ onProgress }) => {
    onProgress?.(HALF);
    return promise;
  });
  await answer.body!.cancel();
  resolve({ output: {} });
  await promise;
});

test('a long silence before the first word does not look like a dead connection', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const request = new Request('http://127.0.0.1/', { headers: { accept: ACCEPT } });
  const answered = respond(request, () => promise);
  await vi.advanceTimersByTimeAsync(40_000);
  resolve({ output: { n: 1 } });
  const answer = await answered;
  expect(await answer.clone().text()).toMatch(/^: heartbeat\n\n: heartbeat\n\nevent: answer\n/);
  expect(await eventsOf(answer)).toEqual([{ event: 'answer', data: { n: 1 } }]);
  expect(vi.getTimerCount()).toBe(0);
});

function answerOf(
  outcome: Outcome,
  { accept, progress }: { readonly accept: string; readonly progress: boolean },
): Promise<Response> {
  const request = new Request('http://127.0.0.1/', { headers: { accept } });
  return respond(request, async ({ onProgress }) => {
    if (progress) onProgress?.(HALF);
    return outcome;
  });
}
