/** What one large document of a single kind of text costs to index, at three sizes: what is not linear shows. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { open } from '../src/engine/open.ts';
import { LARGE_KINDS } from './large-kinds.ts';
import { keep } from './record.ts';

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: Object.keys(LARGE_KINDS).join(';') },
    megabytes: { type: 'string', default: '1.2,4.8' },
    out: { type: 'string' },
  },
});
const sizes = values.megabytes.split(',').map(Number);
const work = mkdtempSync(join(tmpdir(), 'docfuse-large-'));
const seconds: Record<string, Record<string, number>> = {};
for (const kind of values.kinds.split(';')) {
  seconds[kind] = {};
  for (const size of sizes) seconds[kind][`${size} MB`] = await indexOne(kind, size * 1e6);
  console.log(kind, seconds[kind]);
}
rmSync(work, { recursive: true });
console.table(seconds);
await keep('large-documents', { load: loadavg(), seconds }, values.out);

/** Seconds of processor time, by words: the model takes as long for these passages as for others. */
async function indexOne(kind: string, characters: number): Promise<number> {
  const place = mkdtempSync(join(work, 'one-'));
  const root = join(place, 'notes');
  mkdirSync(root);
  writeFileSync(join(root, 'large.md'), LARGE_KINDS[kind]!(characters));
  await using index = await open({ roots: [root], indexPath: join(place, 'index') });
  const began = process.cpuUsage();
  await index.sync({ embed: false });
  const { user, system } = process.cpuUsage(began);
  return Math.round((user + system) / 1e4) / 100;
}
