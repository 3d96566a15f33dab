/** The route that has a language model answer: a stream, with limits and a guard of its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '../../../src/surfaces/attach/read-events.ts';
import { type Service, startService } from '../../adapters/openai/service.ts';
import { createServed, type Served, sendBytes, statusesOf } from './served.ts';

const SITE = 'https://app.example';
const PROXY = 'https://notes.example';
let service: Service;
let served: Served;
let plain: Served;
beforeAll(async () => {
  service = await startService();
  const answer = { base_url: service.url, model: 'tiny' };
  served = await createServed({
    settings: { answer, server: { allowed_hosts: ['notes.example'], allowed_origins: [SITE, PROXY] } },
  });
  plain = await createServed();
  await Promise.all([served.ready(), plain.ready()]);
}, 60_000);
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await plain?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.requests.length = 0;
  service.replies.length = 0;
  service.chat = ['Press *Rotate* ', '[1].'];
});

const QUESTION = { question: 'how do I rotate a token', sync: false };
const STREAM = { accept: 'text/event-stream' };

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, field by field
const json = async (response: Response): Promise<any> => response.json();

async function eventsOf(response: Response): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const { event, data } of readEvents(response.body!.pipeThrough(new TextDecoderStream())))
    events.push([event, data]);
  return events;
}

test('an answer is streamed in pieces, and comes whole at the end', async () => {
  const events = await eventsOf(await served.post('/api/ask', QUESTION, STREAM));
  expect(events).toEqual([
    ['text', { text: 'Press *Rotate* ' }],
    ['text', { text: '[1].' }],
    [
      'answer',
      expect.objectContaining({
        ...{ answered: true, answer: 'Press *Rotate* [1].', model: 'tiny' },
        citations: expect.arrayContaining([
          expect.objectContaining({ number: 1, cited: true, path: 'guide/tokens.md' }),
        ]),
      }),
    ],
  ]);
  const whole = await json(await served.post('/api/ask', QUESTION));
  expect(whole.answer).toBe('Press *Rotate* [1].');
});

test('status names the model and its host, where one is set up', async () => {
  const { host } = new URL(service.url);
  expect((await json(await served.get('/api/status'))).server.answers).toEqual({ model: 'tiny', host });
  expect((await json(await plain.get('/api/status'))).server.answers).toBeUndefined();
  const refused = await json(await plain.post('/api/ask', QUESTION));
  expect(refused).toMatchObject({ code: 'config', remedy: expect.stringContaining('[answer]') });
});

test('a service that fails or breaks off is told in words', async () => {
  service.replies.push({ status: 400, body: '{"error":{"message":"out of memory"}}' });
  const problem = await json(await served.post('/api/ask', QUESTION, STREAM));
  expect(problem).toMatchObject({ code: 'remote', remedy: expect.stringMatching(/\w/) });
  service.chat = 'cut';
  const events = await eventsOf(await served.post('/api/ask', QUESTION, STREAM));
  expect(events).toEqual([
    ['text', { text: 'To rotate ' }],
    ['problem', expect.objectContaining({ code: 'remote' })],
  ]);
});

test('a client that leaves ends the question', async () => {
  service.replies.push({ silent: true });
  const leaving = new AbortController();
  const asked = fetch(`${served.server.url}/api/ask`, {
    ...{ method: 'POST', body: JSON.stringify(QUESTION), signal: leaving.signal },
    headers: { 'content-type': 'application/json', ...STREAM },
  }).catch(() => undefined);
  await expect.poll(() => service.requests.length).toBe(1);
  const load = async () => (await json(await served.get('/api/status'))).server.requests;
  expect(await load()).toBe(2);
  leaving.abort();
  await asked;
  await expect.poll(load).toBe(1);
});

describe('nothing is asked', () => {
  const expectRefused = async (response: Response, status: number) => {
    expect(response.status).toBe(status);
    expect((await json(response)).remedy).toMatch(/\w/);
    expect(service.requests).toEqual([]);
  };

  test('by GET, which a link could send', async () => {
    await expectRefused(await served.get('/api/ask?question=x'), 405);
  });

  test('with fields that are not offered', async () => {
    await expectRefused(await served.post('/api/ask', { ...QUESTION, query: 'x' }), 400);
  });

  test.each([SITE, 'https://evil.example', 'null'])('for a page of %s', async (origin) => {
    await expectRefused(await served.post('/api/ask', QUESTION, { origin }), 403);
  });

  test('for a form of another site', async () => {
    const form = { 'content-type': 'text/plain', origin: 'https://evil.example' };
    await expectRefused(await served.post('/api/ask', QUESTION, form), 403);
    await expectRefused(await served.post('/api/ask', QUESTION, { 'content-type': 'text/plain' }), 415);
  });
});

test('a page of this server may ask, behind a proxy with TLS too', async () => {
  const { url } = served.server;
  expect((await served.post('/api/ask', QUESTION, { origin: url })).status).toBe(200);
  const body = JSON.stringify(QUESTION);
  const lines = [
    ...['POST /api/ask HTTP/1.1', 'Host: notes.example', `Origin: ${PROXY}`, 'Connection: close'],
    ...['Content-Type: application/json', `Content-Length: ${body.length}`],
  ];
  expect(statusesOf(await sendBytes(served.port, `${lines.join('\r\n')}\r\n\r\n${body}`))).toEqual([200]);
});
