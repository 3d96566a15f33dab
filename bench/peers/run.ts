/** docfuse beside other engines, in turn on one machine; docs/explain/speed.md says how to run it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { percentile } from '../../src/core/evaluate/statistics.ts';
import { keep } from '../record.ts';
import { createWords, writeDocuments } from '../synthetic-documents.ts';
import type { Measured } from './measure.ts';
import { type PeerFigures, type PeerRow, printTable, writeSpeedPage } from './speed-table.ts';
import { VECTOR_ENGINES } from './vector-engines.ts';
import { WORD_ENGINES } from './word-engines.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string', default: '1000' },
    vectors: { type: 'string', default: '70000' },
    queries: { type: 'string', default: '200' },
    runs: { type: 'string', default: '3' },
    /** Names of engines, with commas. */
    only: { type: 'string' },
    out: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench -- [FOLDER] [options]

  FOLDER          documents to index; without one, made-up documents
  --documents N   how many made-up documents (1000)
  --vectors N     how many vectors (70000)
  --queries N     how many questions (200)
  --runs N        how often each engine is measured (3)
  --only A,B      engines by name, such as docfuse,MiniSearch
  --out FILE      where the figures go (bench/results/engines-DATE.json)
  --write         write the tables of docs/explain/speed.md`);
  process.exit();
}

const work = await mkdtemp(join(tmpdir(), 'docfuse-peers-'));
const folder =
  positionals[0] ?? (await writeDocuments(join(work, 'documents'), Number(values.documents), createWords()));
const words = await compare('words', WORD_ENGINES, folder);
const vectors = await compare('vectors', VECTOR_ENGINES, values.vectors);
await rm(work, { recursive: true });

const figures: PeerFigures = { words, vectors };
console.log(`\n${printTable('words', words)}\n\n${printTable('vectors', vectors)}\n`);
const source = { documents: positionals[0] ? 'a folder' : `${values.documents} made-up documents` };
const measured = { ...source, queries: Number(values.queries), runs: Number(values.runs), ...figures };
await keep('engines', measured, values.out);
if (values.write) await writeSpeedPage(figures);

/** All engines in turn, so often; medians, so that a moment's noise counts for little. */
async function compare(
  kind: 'words' | 'vectors',
  engines: readonly { readonly name: string; readonly note: string; readonly needs?: string }[],
  corpus: string,
): Promise<readonly PeerRow[]> {
  const chosen = engines.filter(({ name, needs }) => {
    if (values.only && !values.only.split(',').includes(name)) return false;
    if (needs === undefined || isInstalled(needs)) return true;
    console.log(`${name} is left out: ${needs} is not installed (npm run bench).`);
    return false;
  });
  const runs = new Map<string, Measured[]>(chosen.map(({ name }) => [name, []]));
  for (let run = 0; run < Number(values.runs); run++) {
    for (const { name } of run % 2 === 0 ? chosen : chosen.toReversed()) {
      const measured = await measure(kind, name, corpus);
      runs.get(name)!.push(measured);
      console.log(`${kind}  ${name.padEnd(12)}  ${measured.p50.toFixed(2)} ms`);
    }
  }
  const truth = runs.get('float32 loop')?.[0]?.found;
  return chosen.map(({ name, note }) => {
    const own = runs.get(name)!;
    const median = (read: (one: Measured) => number) => percentile(own.map(read), 0.5);
    return {
      ...{ name, note, units: own[0]!.units },
      buildSeconds: median((one) => one.buildSeconds),
      p50: median((one) => one.p50),
      p95: median((one) => one.p95),
      memoryMiB: median((one) => one.memoryMiB),
      diskMiB: median((one) => one.diskMiB),
      ...(truth && { recall: recallOf(own[0]!.found, truth) }),
    };
  });
}

async function measure(kind: string, name: string, corpus: string): Promise<Measured> {
  const args = [join(import.meta.dirname, 'measure.ts'), kind, name, corpus, values.queries];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Share of the exact best ten that were found. */
function recallOf(found: Measured['found'], truth: Measured['found']): number {
  const shares = truth.map(
    (due, query) => due.filter((row) => found[query]!.includes(row)).length / due.length,
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
