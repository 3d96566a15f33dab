/** Time from saving one file of a watched folder until a search finds what was written, by words and by meaning. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { open } from '../src/engine/open.ts';
import { keepFresh } from '../src/engine/watch/keep-fresh.ts';
import { keep } from './record.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    saves: { type: 'string', default: '60' },
    /** An index of the folder that may be written to; without one the folder is indexed first. */
    index: { type: 'string' },
    out: { type: 'string' },
  },
});
const folder = positionals[0];
if (!folder) throw new Error('Give a folder of documents: node bench/watch.ts FOLDER [--index DIR]');

const work = await mkdtemp(join(tmpdir(), 'docfuse-watch-'));
const index = await open({ roots: [folder], indexPath: values.index ?? join(work, 'index') });
const began = performance.now();
const fresh = keepFresh(index, { patienceMs: 3_600_000, onFailure: (error) => console.error(error) });
await fresh.sync();
const startMs = performance.now() - began;
await fresh.search('what the model is loaded for');
const { documents, chunks } = (await fresh.status()).index;

/** A file that was there before the run is never written to. */
const own = join(folder, 'docfuse-bench-watch');
await mkdir(own);
const words: number[] = [];
const meaning: number[] = [];
try {
  for (let save = 0; save < Number(values.saves); save++) {
    const word = `zyx${save.toString(36)}qv`;
    const text = `# Save ${save}\n\nThe ${word} is kept in the ${save}th drawer of the cabinet beside the stove.\n`;
    const at = performance.now();
    await writeFile(join(own, 'note.md'), text);
    words.push(
      (await until(async () =>
        (
          await fresh.search(word, { mode: 'keyword', minConfidence: 0, topN: 1 })
        ).hits[0]?.text.includes(word),
      )) - at,
    );
    meaning.push(
      (await until(async () =>
        (
          await fresh.search(`where is the thing of drawer ${save}`, {
            mode: 'semantic',
            minConfidence: 0,
            topN: 1,
            filters: { path: ['docfuse-bench-watch/'] },
          })
        ).hits[0]?.text.includes(word),
      )) - at,
    );
    await sleep(1_000 + (save % 7) * 50);
  }
} finally {
  await rm(own, { recursive: true });
  await fresh.sync();
  await fresh.close();
  await rm(work, { recursive: true });
}
const quantiles = (times: readonly number[]) => ({
  p50: percentile(times, 0.5),
  p95: percentile(times, 0.95),
  max: Math.max(...times),
});
const measured = {
  documents,
  chunks,
  saves: words.length,
  startMs,
  /** Programs that wanted a core, in the mean of the last minute. */
  load: loadavg()[0],
  words: quantiles(words),
  meaning: quantiles(meaning),
};
console.log(`${documents} documents, ${chunks} chunks`);
for (const [name, { p50, p95, max }] of Object.entries({
  words: measured.words,
  meaning: measured.meaning,
})) {
  console.log(
    `${name.padEnd(8)} p50 ${p50.toFixed(0)} ms  p95 ${p95.toFixed(0)} ms  max ${max.toFixed(0)} ms`,
  );
}
await keep('watch', measured, values.out);

/** The time at which `found` first was true; asked again at once, as an impatient reader would. */
async function until(found: () => Promise<boolean | undefined>): Promise<number> {
  const deadline = performance.now() + 60_000;
  while (!(await found())) {
    if (performance.now() > deadline) throw new Error('A save was not found within a minute.');
    await sleep(5);
  }
  return performance.now();
}
