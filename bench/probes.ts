/** Where search is weak: questions made from vaults, by kind, measured in three modes; kept in `bench/results`. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { randomNumbers } from '../src/core/evaluate/statistics.ts';
import { evaluate } from '../src/engine/evaluate/evaluate.ts';
import type { Evaluation } from '../src/engine/evaluate/evaluation.ts';
import { markdownTable } from './markdown-table.ts';
import { makeProbePairs } from './probe-pairs.ts';
import { readVault } from './read-vault.ts';
import { keep } from './record.ts';
import { shuffle } from './shuffle.ts';
import { writeJudgedSet } from './write-judged-set.ts';

const USAGE = `usage: node bench/probes.ts <vault…>
  --pairs n      of each kind in each vault, default 40
  --kinds a,b    only questions of these kinds, default all
  --files n      only so many documents of a vault, drawn by lot
  --sets folder  keep the judged sets there, and their indexes
  --out file     default bench/results/probes-<date>.json`;

const MODES = ['hybrid', 'keyword', 'semantic'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '40' },
    files: { type: 'string' },
    kinds: { type: 'string' },
    sets: { type: 'string' },
    out: { type: 'string' },
  },
});
if (positionals.length === 0) throw new Error(USAGE);
const work = await mkdtemp(join(tmpdir(), 'docfuse-probes-'));
const evaluations: Evaluation[] = [];
for (const root of positionals) {
  const set = join(values.sets ?? work, basename(resolve(root)));
  const most = values.files === undefined ? undefined : Number(values.files);
  const documents = await readVault(root, (paths) => shuffle(paths, randomNumbers(1)).slice(0, most));
  const pairs = makeProbePairs(documents, Number(values.pairs), values.kinds?.split(','));
  await rm(set, { recursive: true, force: true });
  const made = pairs.map(({ kind, query, path }) => ({
    query,
    type: kind,
    judgements: new Map([[path, 1]]),
  }));
  await writeJudgedSet(set, made);
  // With --files, what is searched is what the questions were made from, not the rest of the vault.
  const docs = values.files === undefined ? resolve(root) : join(set, 'docs');
  if (values.files !== undefined) {
    for (const { path } of documents) await cp(join(root, path), join(docs, path));
  }
  const evaluation = await evaluate({
    set,
    docs,
    modes: MODES,
    open: { indexPath: join(values.sets ?? work, `${basename(set)}-index`) },
  });
  evaluations.push(evaluation);
  console.log(probeTable(evaluation));
}
const results = evaluations.map(({ set, documents, modes }) => ({
  vault: set,
  documents,
  modes: modes.map(({ mode, byType }) => ({ mode, probes: byType })),
}));
await keep('probes', { vaults: results }, values.out);
await rm(work, { recursive: true });

function probeTable({ set, documents, modes }: Evaluation): string {
  const kinds = Object.keys(modes[0]?.byType ?? {});
  const rows = kinds.map((kind) => {
    const own = modes.map(({ byType }) => byType?.[kind]);
    const figures = own.map(
      (each) => `${each?.metrics.ndcg10.toFixed(3)} / ${each?.metrics.hit1.toFixed(3)}`,
    );
    return [kind, String(own[0]?.queries ?? 0), ...figures];
  });
  const header = [`${set}, ${documents} documents: nDCG@10 / Hit@1`, 'pairs', ...MODES];
  return `${markdownTable([header, ...rows])}\n`;
}
