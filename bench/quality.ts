/** Quality of search on every judged set of a folder, as a table; figures are kept in `bench/results`. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { METRICS } from '../src/core/evaluate/metrics.ts';
import { SEARCH_MODES, type SearchMode } from '../src/core/model/query.ts';
import { type EvaluateProgress, evaluate } from '../src/engine/evaluate/evaluate.ts';
import type { Evaluation } from '../src/engine/evaluate/evaluation.ts';
import { checkScorer } from './check-scorer.ts';
import { markdownTable } from './markdown-table.ts';
import { checkThresholds, type ThresholdResult } from './qmd-thresholds.ts';
import { keep } from './record.ts';

const USAGE = `usage: node bench/quality.ts <folder of judged sets> [set…]
  --modes a,b      default hybrid,keyword,semantic
  --limit n        only the first n queries of each set
  --indexes folder keep and reuse the index of each set there
  --vaults folder  unpack the vault cpp-docs from there for cpp-docs-keywords (74,784 passages: minutes)
  --runs folder    keep the TREC runs there
  --scorer file    a program that scores runs (python3 file set run) and must agree
  --out file       default bench/results/quality-<date>.json`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    modes: { type: 'string', default: 'hybrid,keyword,semantic' },
    limit: { type: 'string' },
    indexes: { type: 'string' },
    vaults: { type: 'string' },
    runs: { type: 'string' },
    scorer: { type: 'string' },
    out: { type: 'string' },
  },
});
const [root, ...chosen] = positionals;
if (root === undefined) throw new Error(USAGE);
const modes = values.modes.split(',').map(asMode);
const work = await mkdtemp(join(tmpdir(), 'docfuse-quality-'));
const runs = values.runs ?? work;
await mkdir(runs, { recursive: true });

const evaluations: Evaluation[] = [];
const thresholds: ThresholdResult[] = [];
const differences: number[] = [];
for (const name of chosen.length > 0 ? chosen : await setNames(root)) {
  const set = join(root, name);
  const docs = await unpackVault(name, values.vaults);
  const evaluation = await evaluate({
    set,
    modes,
    // Several modes write a file each, named after the mode; a single one gets its name here.
    runFile: join(runs, modes.length > 1 ? `${name}.trec` : `${name}.${modes[0]}.trec`),
    onProgress: showProgress(name),
    ...(docs !== undefined && { docs }),
    ...(values.indexes !== undefined && { open: { indexPath: join(values.indexes, name) } }),
    ...(values.limit !== undefined && { limit: Number(values.limit) }),
  });
  evaluations.push(evaluation);
  for (const { mode, metrics } of evaluation.modes) {
    console.error(`${clearLine()}${name} ${mode}: nDCG@10 ${metrics.ndcg10.toFixed(4)}`);
  }
  for (const { mode, runFile } of evaluation.modes) {
    if (name === 'qmd-eval' && runFile) thresholds.push(...(await checkThresholds(set, mode, runFile)));
  }
  if (values.scorer !== undefined && values.limit === undefined && docs === undefined) {
    for (const one of evaluation.modes) differences.push(await checkScorer(values.scorer, set, one));
  }
}
console.log(qualityTable(evaluations));
if (thresholds.length > 0) console.log(thresholdTable(thresholds));
if (differences.length > 0) {
  console.log(
    `${differences.length} runs scored alike elsewhere, largest difference ${Math.max(...differences)}.\n`,
  );
}
for (const { set, warnings } of evaluations)
  for (const warning of warnings) console.log(`${set}: ${warning}`);
await keep('quality', { sets: evaluations.map(inShort), thresholds }, values.out);
await rm(work, { recursive: true });
if (thresholds.some(({ passed }) => !passed)) process.exitCode = 1;

function asMode(name: string): SearchMode {
  const mode = SEARCH_MODES.find((known) => known === name);
  if (mode === undefined) throw new Error(`unknown mode ${name}\n${USAGE}`);
  return mode;
}

/** Sets that bring their documents with them; those over a vault only when named. */
async function setNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names
    .filter((name) => existsSync(join(folder, name, 'queries.jsonl')) && (values.vaults || !vaultOf(name)))
    .sort();
}

function vaultOf(set: string): string | undefined {
  return set === 'cpp-docs-keywords' ? 'cpp-docs' : undefined;
}

/** Unpacks the vault a set is judged over to a lasting place, so that its index is found again. */
async function unpackVault(set: string, vaults: string | undefined): Promise<string | undefined> {
  const vault = vaultOf(set);
  if (vault === undefined || vaults === undefined) return undefined;
  const folder = join(tmpdir(), `docfuse-vault-${vault}`);
  if (!existsSync(folder)) {
    await mkdir(folder);
    await promisify(execFile)('tar', ['-xzf', join(vaults, `${vault}.tar.gz`), '-C', folder]);
  }
  return folder;
}

function showProgress(set: string): (progress: EvaluateProgress) => void {
  return ({ phase, done, total }) => {
    if (process.stderr.isTTY) process.stderr.write(`${clearLine()}${set}: ${phase} ${done} of ${total}`);
  };
}

/** Takes the progress off the line before something else is written there. */
function clearLine(): string {
  return process.stderr.isTTY ? '\r\u001b[K' : '';
}

function qualityTable(all: readonly Evaluation[]): string {
  const rows = all.flatMap(({ set, documents, queries, modes: evaluated }) =>
    evaluated.map(({ mode, metrics, intervals, latency }) => [
      set,
      String(documents),
      String(queries),
      mode,
      ...METRICS.map((metric) => metrics[metric].toFixed(4)),
      intervals.ndcg10.map((end) => end.toFixed(3)).join('–'),
      latency.p50.toFixed(1),
      latency.p95.toFixed(1),
    ]),
  );
  const header = ['set', 'documents', 'queries', 'mode', 'nDCG@5', 'nDCG@10', 'MRR@10', 'Recall@10', 'Hit@1'];
  return `${markdownTable([[...header, '95 % of nDCG@10', 'p50 ms', 'p95 ms'], ...rows])}\n`;
}

function thresholdTable(results: readonly ThresholdResult[]): string {
  const rows = results.map(({ mode, difficulty, depth, hitRate, threshold, passed }) => [
    mode,
    difficulty,
    `Hit@${depth}`,
    hitRate.toFixed(2),
    threshold.toFixed(2),
    passed ? 'passed' : 'FAILED',
  ]);
  return `${markdownTable([['mode', 'difficulty', 'measure', 'reached', 'threshold', ''], ...rows])}\n`;
}

/** Results are kept without the names of files on this machine, and without every query. */
function inShort(evaluation: Evaluation) {
  return { ...evaluation, modes: evaluation.modes.map(({ runFile: _, perQuery: __, ...mode }) => mode) };
}
