/** Kills and damages an index hundreds of times: `node scripts/crash-harness.ts --kills 300 --damages 300`; Ctrl-C ends it sooner. */
import { parseArgs } from 'node:util';
import { record } from '../bench/record.ts';
import { type CrashReport, runCrashes } from '../test/crash/crashes.ts';

const KEEP_EVERY = 25;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    damages: { type: 'string', default: '300' },
    /** The seed of a failed run repeats that run. */
    seed: { type: 'string', default: String(Date.now()) },
    /** Only these kinds of damage. */
    kind: { type: 'string', multiple: true },
    out: { type: 'string' },
  },
});
const seed = Number(values.seed);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
let file = values.out;
async function keep(report: CrashReport): Promise<string> {
  file = await record('crashes', { seed, ...report }, file);
  return file;
}
let survived: CrashReport | undefined;
try {
  survived = await runCrashes({
    kills: Number(values.kills),
    damages: Number(values.damages),
    seed,
    ...(values.kind && { kinds: values.kind }),
    signal: stop.signal,
    onSurvived(line, report) {
      console.log(line);
      survived = report;
      // Long runs may be interrupted: keep what they have passed so far.
      if (report.kills % KEEP_EVERY === 0) void keep(report);
    },
  });
} finally {
  if (survived) {
    console.log(JSON.stringify(survived, null, 2));
    console.log(`Kept in ${await keep(survived)}`);
  }
}
