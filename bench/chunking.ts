/** What chunk sizes are worth: every judged set indexed anew under each, nDCG@10 beside the defaults; kept in `bench/results`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { SettingsOverride } from '../src/engine/api.ts';
import { evaluate } from '../src/engine/evaluate/evaluate.ts';
import { record } from './record.ts';

type Chunking = NonNullable<SettingsOverride['chunking']>;

const VARIANTS: Readonly<Record<string, Chunking>> = {
  defaults: {},
  'max_chars 1000': { max_chars: 1000 },
  'max_chars 2000': { max_chars: 2000 },
  'max_chars 3000': { max_chars: 3000 },
  'min_chars 0': { min_chars: 0 },
  'min_chars 400': { min_chars: 400 },
  'overlap_chars 0': { overlap_chars: 0 },
  'overlap_chars 300': { overlap_chars: 300 },
  'fixed, 1000 and 200': { strategy: 'fixed' },
};

const USAGE = `usage: node bench/chunking.ts <set…>
  a set is a judged set, or one with its documents in docs/ beside the judgements
  --modes list  default hybrid,keyword`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { modes: { type: 'string', default: 'hybrid,keyword' } },
});
if (positionals.length === 0) throw new Error(USAGE);
const modes = values.modes.split(',') as ('hybrid' | 'keyword')[];
const work = await mkdtemp(join(tmpdir(), 'docfuse-chunking-'));
const rows: object[] = [];
for (const path of positionals) {
  for (const [variant, chunking] of Object.entries(VARIANTS)) {
    const measured = await evaluate({
      set: resolve(path),
      modes,
      open: { indexPath: join(work, basename(path)), settings: { chunking } },
    });
    const ndcg10 = Object.fromEntries(measured.modes.map(({ mode, metrics }) => [mode, metrics.ndcg10]));
    rows.push({ set: basename(path), variant, ndcg10 });
    console.log(basename(path), variant, JSON.stringify(ndcg10));
  }
}
await rm(work, { recursive: true });
console.log(`Kept in ${await record('chunking', { rows })}`);
