/** Tests all code that reads outside input with generated inputs: `node scripts/fuzz.ts --inputs 100000`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { record } from '../bench/record.ts';
import { targets } from '../test/fuzz/targets.ts';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    target: { type: 'string', multiple: true },
    seed: { type: 'string' },
    /** Keep the figures in bench/results. */
    record: { type: 'boolean', default: false },
  },
});
const names = targets.map(({ name }) => name);
const chosen = values.target ?? names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no target ${unknown.join(', ')}. Targets: ${names.join(', ')}.`);
  process.exit(2);
}

const inputs = Number(values.inputs);
const seed = values.seed === undefined ? undefined : Number(values.seed);
type Tried = Readonly<Record<string, { readonly inputs: number; readonly seconds: number }>>;
const RESULTS = join(import.meta.dirname, '../bench/results');
/** Today's record. It also holds the figures of the newest record before it. */
const RECORD = join(RESULTS, `fuzz-${new Date().toISOString().slice(0, 10)}.json`);
for (const target of targets.filter(({ name }) => chosen.includes(name))) {
  const began = performance.now();
  try {
    await target.run({ inputs, seed });
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${target.name.padEnd(13)} ${inputs} inputs in ${seconds} s`);
    // Written after each target, so that a stopped run keeps its results.
    if (values.record)
      await record('fuzz', { tried: { ...recorded(), [target.name]: { inputs, seconds } } }, RECORD);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${target.name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Returns the figures of the newest record, so that a run of some targets keeps the figures of the others. */
function recorded(): Tried {
  const newest = globSync('fuzz-*.json', { cwd: RESULTS }).sort().at(-1);
  return newest ? JSON.parse(readFileSync(join(RESULTS, newest), 'utf8')).tried : {};
}
