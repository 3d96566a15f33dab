/** What is told of the changes of a server that others cut off, replace or stop; over real connections. */
import { expect, test } from 'vitest';
import { openChanges } from '../../../src/surfaces/attach/follow-server.ts';
import { createServed } from '../http/served.ts';
import { knownServer } from './known-server.ts';
import { pretendServer } from './pretend-server.ts';

const signal = new AbortController().signal;

test('of another run of the server it is said that something may have been missed', async () => {
  await using served = await createServed();
  await served.ready();
  const note = knownServer(served.indexPath);
  const leave = new AbortController();
  const stream = (await openChanges(note, { signal: leave.signal, after: 'another:7' }))!;
  let missed = 0;
  const ended = stream.follow({ onMissed: () => missed++, onChanges: () => leave.abort() });
  await expect.poll(() => missed).toBe(1);
  served.write('new.md', '# New\n');
  expect(await ended).toMatch(new RegExp(`^${note.run}:\\d+$`));
});

test('a server that shows no sign of life is gone', async () => {
  const note = await pretendServer({
    answer: (response) => void response.write('retry: 2000\n\nid: run:3\n\n'),
  });
  const stream = (await openChanges(note, { signal, silenceMs: 200 }))!;
  const told = { onMissed: () => expect.fail(), onChanges: () => expect.fail() };
  expect(await stream.follow(told)).toBe('run:3');
});

test('one that answers for another run, or refuses, is not followed', async () => {
  const note = await pretendServer({ answer: (response) => void response.end() });
  expect(await openChanges({ ...note, run: 'other' }, { signal })).toBeUndefined();
  expect(await openChanges({ ...note, port: 1 }, { signal })).toBeUndefined();
});
