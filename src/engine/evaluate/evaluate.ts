/** Measures search on judged queries: quality and speed, mode by mode, against an earlier run when one is given. */
import { performance } from 'node:perf_hooks';
import { DocfuseError } from '../../core/errors.ts';
import { type Comparison, compareMetrics } from '../../core/evaluate/compare.ts';
import { byMetric, type Metric, type Metrics, meanMetrics, measure } from '../../core/evaluate/metrics.ts';
import { percentile } from '../../core/evaluate/percentile.ts';
import { bootstrapInterval } from '../../core/evaluate/significance.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { Index, OpenOptions, SyncProgress } from '../api.ts';
import { open } from '../open.ts';
import { type JudgedQuery, type JudgedSet, readJudgedSet } from './judged-set.ts';
import { measureRefusal, type Refusal } from './refusal.ts';
import { type Run, type RunEntry, readRun, writeRun } from './trec-run.ts';

export type EvaluateProgress =
  | SyncProgress
  | { readonly phase: 'query'; readonly mode: SearchMode; readonly done: number; readonly total: number };

export interface EvaluateOptions {
  /** Folder with `queries.jsonl`, `qrels.tsv` and `corpus.jsonl` or documents. */
  readonly set: string;
  /** Folder that judged paths are relative to, where it lies apart from the set. */
  readonly docs?: string;
  /** @default ['hybrid'] */
  readonly modes?: readonly SearchMode[];
  /** Writes what was ranked as a TREC run; with several modes, one file each: `name.keyword.trec`. */
  readonly runFile?: string;
  /** A TREC run to compare with, query by query. */
  readonly compareFile?: string;
  /** Only the first so many judged queries, at least 1. @default all */
  readonly limit?: number;
  /** Index path, settings and such; documents are the set's. */
  readonly open?: Partial<Omit<OpenOptions, 'roots' | 'corpora'>>;
  /** Hits below this confidence are left out, 0–1. @default 0 */
  readonly minConfidence?: number;
  readonly onProgress?: (progress: EvaluateProgress) => void;
  readonly signal?: AbortSignal;
}

export interface TypeEvaluation {
  readonly queries: number;
  readonly metrics: Metrics;
}

export interface ModeEvaluation {
  readonly mode: SearchMode;
  readonly metrics: Metrics;
  /** 95 % bootstrap intervals of the means. */
  readonly intervals: Readonly<Record<Metric, readonly [low: number, high: number]>>;
  /** Milliseconds of one search for 100 hits in this process, embedding of the query included. */
  readonly latency: { readonly p50: number; readonly p95: number };
  /** Present when queries say of what type or difficulty they are. */
  readonly byType?: Readonly<Record<string, TypeEvaluation>>;
  /** Present when the set has queries that nothing answers. */
  readonly refusal?: Refusal;
  /** This mode against `compareFile`, one entry for each measure. */
  readonly comparison?: readonly Comparison[];
  readonly runFile?: string;
}

export interface Evaluation {
  readonly set: string;
  readonly documents: number;
  /** Judged queries that were asked. */
  readonly queries: number;
  readonly model: string;
  readonly modes: readonly ModeEvaluation[];
  readonly compareFile?: string;
  readonly warnings: readonly string[];
}

/** How deep documents are ranked. */
const DEPTH = 100;
/** Searches before the clock counts: caches fill, code is compiled. */
const WARM_UP = 5;

/**
 * Indexes the set's documents, asks every judged query and measures the answers. Documents are ranked by their best
 * chunk, 100 deep, without threshold; the index is kept, so a second evaluation embeds nothing.
 * @throws DocfuseError `judgements`, `not_found` or `not_a_folder` for the set; whatever `open` and `sync` throw
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { modes = ['hybrid'], onProgress, signal } = options;
  const set = await readJudgedSet(options.set, options.docs);
  const queries = set.queries.slice(0, options.limit);
  const baseline =
    options.compareFile === undefined ? undefined : await readBaseline(options.compareFile, queries);
  await using index = await open(openOptions(set, options));
  const report = await index.sync({
    embed: modes.some((mode) => mode === 'hybrid' || mode === 'semantic'),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  const evaluated: ModeEvaluation[] = [];
  const notices: string[] = [];
  for (const mode of modes) {
    const asked = await ask(index, queries, mode, options);
    const runFile =
      options.runFile && (modes.length > 1 ? nameForMode(options.runFile, mode) : options.runFile);
    notices.push(...asked.notices.map((notice) => `${mode}: ${notice}`));
    if (runFile) await writeRun(runFile, asked.run, `docfuse-${mode}`);
    const refusal = await measureRefusal(index, mode, queries, set.unanswerable, signal);
    evaluated.push({
      ...summarise(mode, queries, asked, baseline),
      ...(refusal && { refusal }),
      ...(runFile && { runFile }),
    });
  }
  const { index: facts } = await index.status();
  return {
    set: set.name,
    documents: facts.documents,
    queries: queries.length,
    model: facts.model,
    modes: evaluated,
    ...(options.compareFile !== undefined && { compareFile: options.compareFile }),
    warnings: [
      ...missingWarning(set.missing.length),
      ...report.skipped.map(({ path, reason }) => `${path} was left out: ${reason}`),
      ...notices,
    ],
  };
}

function missingWarning(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1 ? '1 judged document is not in the index' : `${count} judged documents are not in the index`,
  ];
}

function openOptions(set: JudgedSet, { open: given = {} }: EvaluateOptions): OpenOptions {
  const { kind, path } = set.documents;
  // One chunk a document ranks documents by their best chunk, and reaches as deep as the candidates allow.
  const search = { max_chunks_per_doc: 1, ...given.settings?.search };
  return {
    ...given,
    ...(kind === 'corpus' ? { roots: [], corpora: [path] } : { roots: [path] }),
    settings: { ...given.settings, search },
  };
}

interface Asked {
  readonly run: Run;
  readonly milliseconds: readonly number[];
  /** What the index says with every answer, such as that it has no vectors: the figures depend on it. */
  readonly notices: readonly string[];
}

async function ask(
  index: Index,
  queries: readonly JudgedQuery[],
  mode: SearchMode,
  { minConfidence = 0, onProgress, signal }: EvaluateOptions,
): Promise<Asked> {
  const search = { mode, minConfidence, topN: DEPTH, parents: false, ...(signal && { signal }) };
  for (const query of queries.slice(0, WARM_UP)) await index.search(query.text, search);
  const run = new Map<string, readonly RunEntry[]>();
  const milliseconds: number[] = [];
  const notices = new Map<string, number>();
  for (const query of queries) {
    const start = performance.now();
    const { hits, notice } = await index.search(query.text, search);
    milliseconds.push(performance.now() - start);
    if (notice) notices.set(notice, (notices.get(notice) ?? 0) + 1);
    const bestChunks = new Map<string, RunEntry>();
    for (const { path, score } of hits) {
      if (!bestChunks.has(path)) bestChunks.set(path, { document: path, score });
    }
    run.set(query.id, [...bestChunks.values()]);
    onProgress?.({ phase: 'query', mode, done: milliseconds.length, total: queries.length });
  }
  const everywhere = [...notices].filter(([, times]) => times === queries.length);
  return { run, milliseconds, notices: everywhere.map(([notice]) => notice) };
}

function summarise(
  mode: SearchMode,
  queries: readonly JudgedQuery[],
  asked: Asked,
  baseline: Run | undefined,
): ModeEvaluation {
  const perQuery = measureRun(queries, asked.run);
  const byType = groupByType(queries, perQuery);
  return {
    mode,
    metrics: meanMetrics(perQuery),
    intervals: byMetric((metric) => bootstrapInterval(perQuery.map((metrics) => metrics[metric]))),
    latency: { p50: percentile(asked.milliseconds, 0.5), p95: percentile(asked.milliseconds, 0.95) },
    ...(byType && { byType }),
    ...(baseline && { comparison: compareMetrics(perQuery, measureRun(queries, baseline)) }),
  };
}

/** One entry for each query, in order; a query the run does not answer measures 0. */
function measureRun(queries: readonly JudgedQuery[], run: Run): readonly Metrics[] {
  return queries.map(({ id, judgements }) =>
    measure(
      (run.get(id) ?? []).map(({ document }) => document),
      judgements,
    ),
  );
}

function groupByType(
  queries: readonly JudgedQuery[],
  perQuery: readonly Metrics[],
): Readonly<Record<string, TypeEvaluation>> | undefined {
  const groups = Map.groupBy(perQuery.entries(), ([query]) => queries[query]?.type);
  if (groups.size === 1 && groups.has(undefined)) return undefined;
  const evaluations = [...groups].map(([type, entries]) => {
    const metrics = meanMetrics(entries.map(([, own]) => own));
    return [type ?? 'other', { queries: entries.length, metrics }] as const;
  });
  return Object.fromEntries(evaluations);
}

async function readBaseline(file: string, queries: readonly JudgedQuery[]): Promise<Run> {
  const run = await readRun(file);
  if (queries.some(({ id }) => run.has(id))) return run;
  throw new DocfuseError(
    'judgements',
    `The run ${file} answers no query of this set.`,
    'Compare with a run that was written for the same set.',
  );
}

/** `runs/before.trec` → `runs/before.keyword.trec`. */
function nameForMode(file: string, mode: SearchMode): string {
  return file.replace(/(\.[^./\\]+)?$/, `.${mode}$1`);
}
