/** Attacks that take every connection: others are answered throughout. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processorWait } from '../../support/processor-wait.ts';
import { flood, HOLDS } from './flood.ts';
import { createServed, type Served } from './served.ts';

const CONNECTIONS = 600;
/** Usually an answer takes some hundred milliseconds. A client that is locked out gets none. */
const LONGEST_MS = 4_000;
const TOKEN = 'a-token-of-some-length';
const RIGHT = { authorization: `Bearer ${TOKEN}` };

let served: Served;
let locked: Served;
beforeAll(async () => {
  served = await createServed();
  locked = await createServed({ token: TOKEN });
  // The model is loaded by the first search.
  await Promise.all([served.ready(), locked.ready(RIGHT)]);
  await Promise.all([ask(served, '/api/search?query=token'), ask(locked, '/api/search?query=token', RIGHT)]);
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await locked?.[Symbol.asyncDispose]();
});

describe(`${CONNECTIONS} connections`, () => {
  test.each(Object.entries(HOLDS))('%s lock out no other client', async (_, hold) => {
    await expectAnswersDuring(flood(served.port, [hold], CONNECTIONS), served, 500);
  });

  test('of every kind, without the token, lock out no client with it', async () => {
    await expectAnswersDuring(flood(locked.port, Object.values(HOLDS), CONNECTIONS), locked, 2_000, RIGHT);
  });
});

/** From the first connection until `forMs` after the last. Each question comes on a connection of its own, from the address of the attackers. */
async function expectAnswersDuring(
  opening: Promise<Disposable>,
  to: Served,
  forMs: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const over = opening.then(() => sleep(forMs, true));
  try {
    for (let isOver = false; !isOver; isOver = await Promise.race([over, sleep(50, false)])) {
      const [began, waited] = [performance.now(), processorWait(process.pid)];
      const search = ask(to, '/api/search?query=token', headers);
      expect(await Promise.all([ask(to, '/healthz'), search])).toEqual([200, 200]);
      // Attackers, server and clients are one process here; the time that other programs take is not theirs.
      const milliseconds = performance.now() - began - (processorWait(process.pid) - waited);
      expect(milliseconds).toBeLessThan(LONGEST_MS);
    }
  } finally {
    (await opening)[Symbol.dispose]();
  }
}

/** The status of the answer. */
function ask(
  { port }: Served,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    asked.on('error', reject);
    asked.end();
  });
}
