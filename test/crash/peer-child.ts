/**
 * One of several processes on one index: an indexer edits files of its own and must find what it wrote, a searcher asks, and
 * a rebuilder makes all anew; while it does, an answer that lacks something says so.
 */
import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../src/core/errors.ts';
import { open } from '../../src/engine/open.ts';

const [folder, indexPath, role, name, seconds] = process.argv.slice(2) as string[];
const deadline = performance.now() + Number(seconds) * 1000;
const index = await open({ roots: [folder!], indexPath: indexPath! });
let rounds = 0;
/** What was said when another process was writing. */
const refusals: string[] = [];
/** By file, the last round that was said to be in the index. */
const indexed: Record<string, number> = {};
// On a busy machine a few rounds may take longer than there is time.
while (performance.now() < deadline || rounds < 4) {
  rounds++;
  if (role === 'rebuild') {
    await synced(true);
    await sleep(300);
  } else if (role === 'index') {
    const word = `${name}${rounds}`;
    const file = `${name}-${rounds % 5}.md`;
    writeFileSync(join(folder!, file), `# ${name}\n\nThe common lantern, and ${word}.\n`);
    if (!(await synced())) continue;
    indexed[file] = rounds;
    const { hits, notice } = await index.search(word, { mode: 'keyword', minConfidence: 0 });
    if (hits[0]?.path !== file && !isBeingMade(notice))
      throw new Error(`${word} was indexed and is not found.`);
  } else {
    if (rounds % 5 === 0) await synced();
    const { hits, notice } = await index.search('common lantern', { mode: 'keyword', minConfidence: 0 });
    if (hits.length === 0 && !isBeingMade(notice)) throw new Error('Nothing is found any more.');
  }
}
await index.close();
writeSync(1, JSON.stringify({ rounds, refusals, indexed }));

/** That another one is writing is an answer, as every surface treats it, and the only one there may be. */
async function synced(rebuild = false): Promise<boolean> {
  try {
    await index.sync({ embed: false, rebuild });
    return true;
  } catch (error) {
    if (
      !(error instanceof DocfuseError) ||
      error.code !== 'index_busy' ||
      !/process \d+|another process/.test(error.message)
    )
      throw error;
    refusals.push(error.message);
    return false;
  }
}

function isBeingMade(notice: string | undefined): boolean {
  return /There is no index yet|Indexing is still running/.test(notice ?? '');
}
