/** Kills and damages an index by the hundred: `node scripts/crash-harness.ts --kills 300 --damages 300`; Ctrl-C ends it sooner. */
import { parseArgs } from 'node:util';
import { record } from '../bench/record.ts';
import { runCrashes } from '../test/crash/crashes.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    damages: { type: 'string', default: '300' },
    /** Repeats a run that failed. */
    seed: { type: 'string', default: String(Date.now()) },
    /** Damages of these kinds alone. */
    kind: { type: 'string', multiple: true },
    out: { type: 'string' },
  },
});
const seed = Number(values.seed);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const report = await runCrashes({
  kills: Number(values.kills),
  damages: Number(values.damages),
  seed,
  ...(values.kind && { kinds: values.kind }),
  signal: stop.signal,
  onRound: (line) => console.log(line),
});
console.log(JSON.stringify(report, null, 2));
console.log(`Kept in ${await record('crashes', { seed, ...report }, values.out)}`);
