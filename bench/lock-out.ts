/**
 * How soon a health check and a search are answered while one client holds all the connections it can.
 * On a busy machine, `busy` is what the server waited for a processor; `max` is without it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { processorWait } from '../test/support/processor-wait.ts';
import { flood, HOLDS } from '../test/surfaces/http/flood.ts';
import { keep } from './record.ts';
import { isAnswered, startServed } from './served.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '600' },
    seconds: { type: 'string', default: '15' },
    out: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const served = await startServed(Number(values.documents));
const pid = served.child.pid!;
const port = Number(new URL(served.url).port);
const address = `http://127.0.0.1:${port}`;
await isAnswered(`${address}${search()}`, false);

const rows = [await measure('none', [])];
for (const [name, hold] of Object.entries(HOLDS)) rows.push(await measure(name, [hold]));
rows.push(await measure('of every kind', Object.values(HOLDS)));
await served.stop();
for (const { connections: kind, retaken, health, search: found } of rows) {
  console.log(
    `Connections ${kind}: health check ${text(health)}, search ${text(found)}, ${retaken} connections taken again`,
  );
}
const measured = { documents: Number(values.documents), held: connections, seconds, rows };
await keep('lock-out', measured, values.out);

/** From the first of the connections on; each question comes on a connection of its own, from the address of the others. */
async function measure(name: string, holds: Parameters<typeof flood>[1]) {
  const opening = holds.length > 0 ? flood(port, holds, connections) : undefined;
  const [health, found]: [Time[], Time[]] = [[], []];
  let unanswered = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    for (const [path, times] of [
      ['/healthz', health],
      [search(), found],
    ] as const) {
      const [began, waited] = [performance.now(), processorWait(pid)];
      const answered = await isAnswered(address + path, false);
      const busy = processorWait(pid) - waited;
      if (answered) times.push({ busy, own: performance.now() - began - busy });
      else unanswered++;
    }
    await sleep(20);
  }
  const held = await opening;
  held?.[Symbol.dispose]();
  await sleep(500);
  return {
    connections: name,
    unanswered,
    retaken: held?.retaken ?? 0,
    health: spread(health),
    search: spread(found),
  };
}

function search(): string {
  return `/api/search?${new URLSearchParams({ query: served.words(5) })}`;
}

interface Time {
  /** Milliseconds without those that other programs took from the server. */
  readonly own: number;
  readonly busy: number;
}

function spread(times: readonly Time[]) {
  const own = times.map((time) => time.own);
  return {
    answers: times.length,
    p50: percentile(own, 0.5),
    p99: percentile(own, 0.99),
    max: Math.max(...own),
    busy: Math.max(...times.map(({ busy }) => busy)),
  };
}

function text({ answers, p50, p99, max, busy }: ReturnType<typeof spread>): string {
  const times = [p50, p99, max, busy].map((time) => time.toFixed(0));
  return `${answers} answers, p50 ${times[0]}, p99 ${times[1]}, max ${times[2]} ms (and ${times[3]} ms busy)`;
}
