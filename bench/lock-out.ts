/** How soon a health check and a search are answered while one client holds all the connections it can, without the token. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/percentile.ts';
import { flood, HOLDS } from '../test/surfaces/http/flood.ts';
import { record } from './record.ts';
import { startServed } from './served.ts';

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
const port = Number(new URL(served.url).port);
await ask(search());

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
console.log(`Kept in ${await record('lock-out', measured, values.out)}`);

/** From the first of the connections on; each question comes on a connection of its own, from the address of the others. */
async function measure(name: string, holds: Parameters<typeof flood>[1]) {
  const opening = holds.length > 0 ? flood(port, holds, connections) : undefined;
  const [health, found]: [number[], number[]] = [[], []];
  let unanswered = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    for (const [path, times] of [
      ['/healthz', health],
      [search(), found],
    ] as const) {
      const began = performance.now();
      if (await ask(path)) times.push(performance.now() - began);
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

function ask(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200));
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

function spread(milliseconds: readonly number[]) {
  return {
    answers: milliseconds.length,
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    max: Math.max(...milliseconds),
  };
}

function text({ answers, p50, p99, max }: ReturnType<typeof spread>): string {
  return `${answers} answers, p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)} ms`;
}
