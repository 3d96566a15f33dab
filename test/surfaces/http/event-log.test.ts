import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createEventLog } from '../../../src/surfaces/http/event-log.ts';
import { createServed } from './served.ts';

/** What a stream has told so far. */
function follow(stream: ReadableStream<Uint8Array>) {
  const state = { text: '', ended: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const part of stream) state.text += decoder.decode(part, { stream: true });
    state.ended = true;
  })().catch(() => {
    state.ended = true;
  });
  return state;
}

describe('the log', () => {
  test('tells all who listen, each event with an id', async () => {
    const log = createEventLog({ run: 'r' });
    const [one, other] = [follow(log.listen(undefined)), follow(log.listen(undefined))];
    log.publish({ event: 'changed', data: { a: 'x\ny' } });
    await sleep(10);
    expect(one.text).toBe('retry: 2000\n\nid: r:0\n\nid: r:1\nevent: changed\ndata: {"a":"x\\ny"}\n\n');
    expect(other.text).toBe(one.text);
    log.close();
    await sleep(10);
    expect([one.ended, other.ended]).toEqual([true, true]);
  });

  test('goes on where a listener left off', async () => {
    const log = createEventLog({ run: 'r' });
    for (const number of [1, 2, 3]) log.publish({ event: 'e', data: { number } });
    const back = follow(log.listen('r:1'));
    await sleep(10);
    expect(back.text.match(/"number":\d/g)).toEqual(['"number":2', '"number":3']);
    const current = follow(log.listen('r:3'));
    await sleep(10);
    expect(current.text).not.toContain('event');
    log.close();
  });

  test.each(['other:1', 'r:999', 'r:-1', 'r:x', 'r', 'nonsense\u0000', 'r:1'])(
    'says reset to %s, which it cannot follow',
    async (id) => {
      const log = createEventLog({ run: 'r' });
      for (let number = 1; number <= 300; number++) log.publish({ event: 'e', data: { number } });
      const back = follow(log.listen(id));
      await sleep(10);
      expect(back.text).toBe('retry: 2000\n\nevent: reset\ndata: {}\n\nid: r:300\n\n');
      log.close();
    },
  );

  test('shows signs of life, and drops who does not read', async () => {
    const log = createEventLog({ run: 'r', heartbeatMs: 5 });
    const [reader, stuck] = [follow(log.listen(undefined)), log.listen(undefined)];
    await expect.poll(() => reader.text).toContain(': heartbeat\n\n');
    const data = { text: 'a'.repeat(100_000) };
    for (let time = 0; time < 4; time++) {
      log.publish({ event: 'e', data });
      await sleep(5);
    }
    const held = follow(stuck);
    await expect.poll(() => held.ended).toBe(true);
    expect(reader.ended).toBe(false);
    log.close();
  });

  test('takes no more than so many: a newcomer ends the stream that is furthest behind, then the oldest', async () => {
    const log = createEventLog({ run: 'r', maxListeners: 3 });
    const first = follow(log.listen(undefined));
    const stuck = log.listen(undefined);
    const third = follow(log.listen(undefined));
    log.publish({ event: 'e', data: {} });
    await sleep(5);
    const fourth = follow(log.listen(undefined));
    expect(await textOf(stuck)).toContain('r:1');
    expect([first.ended, third.ended]).toEqual([false, false]);
    const fifth = follow(log.listen(undefined));
    await expect.poll(() => first.ended).toBe(true);
    expect([third.ended, fourth.ended, fifth.ended]).toEqual([false, false, false]);
    log.close();
  });

  test('one network has fewer, and takes none from others', async () => {
    const log = createEventLog({ run: 'r', maxListeners: 4, maxPerNetwork: 2 });
    const local = follow(log.listen(undefined));
    const [one, two] = ['192.0.2.1', '192.0.2.2'];
    const [first, second] = [follow(log.listen(undefined, one)), follow(log.listen(undefined, one))];
    const other = follow(log.listen(undefined, two));
    await sleep(5);
    const third = follow(log.listen(undefined, one));
    await expect.poll(() => first.ended).toBe(true);
    expect([local, second, other, third].map(({ ended }) => ended)).toEqual([false, false, false, false]);
    log.close();
  });
});

/** Of a stream that has ended. */
function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

test('a server tells of changed documents and of progress', async () => {
  await using served = await createServed();
  const leaving = new AbortController();
  const answer = await fetch(`${served.server.url}/api/events`, { signal: leaving.signal });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const heard = follow(answer.body!);
  await served.get('/api/search?query=token');
  await sleep(300);
  served.write('new.md', '# Quinces\n\nA quince is hard.\n');
  await served.get('/api/search?query=quince');
  await expect
    .poll(() => heard.text)
    .toContain('{"documents":[{"document":"notes/new.md","change":"added"}]}');
  await expect.poll(() => heard.text).toContain('event: progress\ndata: {"phase":"embed"');
  const id = /id: (\S+)\nevent: changed/.exec(heard.text)![1]!;
  leaving.abort();
  const back = await fetch(`${served.server.url}/api/events`, { headers: { 'last-event-id': id } });
  const again = follow(back.body!);
  await served.server.close();
  await expect.poll(() => again.ended).toBe(true);
  expect(again.text).not.toContain(id);
});
