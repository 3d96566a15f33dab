/** First answer of a cold `docfuse search`, attached to a running server and not, beside the start of Node itself. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { keep } from './record.ts';
import { startServed } from './served.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '15' },
    // What is installed: after `npm run build`.
    packaged: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

const served = await startServed(Number(values.documents), { packaged: values.packaged });
const search = (): string[] => [served.bin, 'search', served.words(5), served.documents];
const COMMANDS = {
  node: () => ['-e', '0'],
  attached: search,
  alone: () => [...search(), '--no-server'],
} as const;
type Name = keyof typeof COMMANDS;

const times: Record<Name, number[]> = { node: [], attached: [], alone: [] };
for (let run = 0; run <= Number(values.runs); run++) {
  // One after the other, so that what else the machine does falls on all alike.
  for (const name of Object.keys(COMMANDS) as Name[]) {
    const began = performance.now();
    const { status, stderr } = spawnSync(process.execPath, COMMANDS[name](), { env: served.env });
    if (status !== 0) throw new Error(String(stderr));
    if (run > 0) times[name].push(performance.now() - began);
  }
}
await served.stop();

const least = (name: Name): number => Math.min(...times[name]);
const measured = {
  documents: Number(values.documents),
  packaged: values.packaged,
  milliseconds: Object.fromEntries(
    Object.entries(times).map(([name, each]) => [
      name,
      { least: Math.min(...each), p50: percentile(each, 0.5), p95: percentile(each, 0.95) },
    ]),
  ),
  attachedToNode: least('attached') / least('node'),
};
for (const [name, { least, p50, p95 }] of Object.entries(measured.milliseconds)) {
  console.log(
    `${name.padEnd(9)} least ${least.toFixed(0)} ms  p50 ${p50.toFixed(0)} ms  p95 ${p95.toFixed(0)} ms`,
  );
}
console.log(`attached is ${measured.attachedToNode.toFixed(1)} times as long as node -e 0`);
await keep('attach', measured, values.out);
