/** Many concurrent HTTP clients over 1,000 documents: errors, latency, processor time, and how the server's memory grows. */
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { keep } from './record.ts';
import { isAnswered, startServed } from './served.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '100' },
    mode: { type: 'string', default: 'hybrid' },
    seconds: { type: 'string', default: '30' },
    // Long enough for caches to fill and the heap to take its size.
    'warm-up': { type: 'string', default: '20' },
    out: { type: 'string' },
  },
});
const clients = Number(values.clients);
const served = await startServed(Number(values.documents));
const agent = new Agent({ keepAlive: true, maxSockets: clients });
await load(Number(values['warm-up']));
const before = await megabytes();
const processorBefore = await processorMilliseconds();
const { milliseconds, errors } = await load(Number(values.seconds));
const processor = (await processorMilliseconds()) - processorBefore;
const after = await megabytes();
agent.destroy();
await served.stop();

const measured = {
  documents: Number(values.documents),
  clients,
  mode: values.mode,
  seconds: Number(values.seconds),
  requests: milliseconds.length,
  errors,
  p50: percentile(milliseconds, 0.5),
  p99: percentile(milliseconds, 0.99),
  perSecond: milliseconds.length / Number(values.seconds),
  processorPerAnswer: processor / milliseconds.length,
  megabytes: { before, after, heapGrowth: after.heap / before.heap - 1 },
};
console.log(
  `${measured.requests} requests of ${clients} clients, ${measured.perSecond.toFixed(0)} per second, ${errors} errors, ` +
    `p50 ${measured.p50.toFixed(0)} ms, p99 ${measured.p99.toFixed(0)} ms, ` +
    `${measured.processorPerAnswer.toFixed(1)} ms of processor time each, ` +
    `heap ${before.heap} → ${after.heap} MB, resident ${before.resident} → ${after.resident} MB`,
);
await keep('http', measured, values.out);

/** Each client asks one question after another. */
async function load(seconds: number): Promise<{ readonly milliseconds: number[]; readonly errors: number }> {
  const end = performance.now() + seconds * 1000;
  const milliseconds: number[] = [];
  let errors = 0;
  async function client(): Promise<void> {
    while (performance.now() < end) {
      const began = performance.now();
      if (await ask(served.words(5))) milliseconds.push(performance.now() - began);
      else errors++;
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  return { milliseconds, errors };
}

function ask(query: string): Promise<boolean> {
  return isAnswered(`${served.url}/api/search?${new URLSearchParams({ query, mode: values.mode })}`, agent);
}

/** Resident memory also counts what was freed and not given back; Linux alone tells it of another process. */
async function megabytes(): Promise<{ readonly heap: number; readonly resident: number }> {
  const status = await readFile(`/proc/${served.child.pid}/status`, 'utf8');
  const resident = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  return { heap: await served.heapMegabytes(), resident };
}

/** User and system time of all threads of the server so far: in a tick of 10 ms each, as Linux counts them. */
async function processorMilliseconds(): Promise<number> {
  const stat = await readFile(`/proc/${served.child.pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return 10 * (Number(user) + Number(system));
}
