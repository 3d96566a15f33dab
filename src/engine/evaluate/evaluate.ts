/** Measures the quality and speed of search on judged queries, mode by mode, and compares with an earlier run. */
import { existsSync } from 'node:fs';
import { DocfuseError } from '../../core/errors.ts';
import { rocArea } from '../../core/evaluate/calibration.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { Index, SearchOptions, SearchResult, SyncProgress } from '../api.ts';
import { open } from '../open.ts';
import type { Evaluation, ModeEvaluation, Refusal } from './evaluation.ts';
import { type JudgedQuery, openToRank, readJudgedSet, type SetOpenOptions } from './judged-set.ts';
import type { QueryLine } from './set-files.ts';
import { type Answer, summarise } from './summarise.ts';
import { type Run, type RunEntry, readRun, writeRun } from './trec-run.ts';

export type EvaluateProgress =
  | SyncProgress
  | { readonly phase: 'query'; readonly mode: SearchMode; readonly done: number; readonly total: number };

export interface EvaluateOptions {
  /** Folder with `queries.jsonl`, `qrels.tsv` and `corpus.jsonl` or documents. */
  readonly set: string;
  /** Folder that judged paths are relative to, if that folder is outside the set. */
  readonly docs?: string | undefined;
  /** @default ['hybrid'] */
  readonly modes?: readonly SearchMode[] | undefined;
  /** Writes the rankings to this file, as a TREC run. With several modes, each has a file: `name.keyword.trec`. */
  readonly runFile?: string | undefined;
  /** A TREC run to compare with, query by query. With several modes, a mode prefers its own file, such as `name.keyword.trec`. */
  readonly compareFile?: string | undefined;
  /** Max judged queries to ask, at least 1; the first of the file are asked. @default all */
  readonly limit?: number | undefined;
  /** Options for opening the index, such as index path and settings. The documents are those of the set. */
  readonly open?: SetOpenOptions | undefined;
  /** Hits below this confidence are left out, 0–1. @default 0 */
  readonly minConfidence?: number | undefined;
  /** Searches for a query in another way than a plain search, for example with a hypothetical answer. @default a plain search */
  readonly ask?: Ask | undefined;
  readonly onProgress?: ((progress: EvaluateProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Indexes the set's documents, asks every judged query and measures the answers. Ranks up to 50 documents per query by their
 * best chunk. Keeps the index, so a second evaluation embeds nothing.
 * @throws DocfuseError `judgements`, `not_found` or `not_a_folder` for the set; also what `open` and `sync` throw
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { modes = ['hybrid'], onProgress, signal } = options;
  const set = await readJudgedSet(options.set, options.docs);
  const queries = set.queries.slice(0, options.limit);
  const baselines = await readBaselines(options.compareFile, modes, queries);
  await using index = await open(openToRank(set, options.open));
  const embed = modes.some((mode) => mode === 'hybrid' || mode === 'semantic');
  const report = await index.sync({ embed, onProgress, signal });
  const evaluated: ModeEvaluation[] = [];
  const notices: string[] = [];
  for (const mode of modes) {
    const asking = { mode, minConfidence: options.minConfidence ?? 0, ask: options.ask, signal };
    const onAnswer = (done: number) => onProgress?.({ phase: 'query', mode, done, total: queries.length });
    const { answers, notices: said } = await askQueries(index, queries, { ...asking, onAnswer });
    const { answers: others } = await askQueries(index, set.unanswerable, asking);
    const refusal = others.length > 0 && (await measureRefusal(index, mode, answers, others, signal));
    const runFile =
      options.runFile && (modes.length > 1 ? nameForMode(options.runFile, mode) : options.runFile);
    const baseline = baselines.get(mode);
    // The earlier run has no answers to queries that were added to the set after it.
    const unpaired = queries.filter(({ id }) => baseline && !baseline.has(id)).length;
    const left = 'not in the earlier run, and left out of the comparison';
    const warnings = [...said, ...warnAbout(unpaired, `query is ${left}`, `queries are ${left}`)];
    notices.push(...warnings.map((notice) => `${mode}: ${notice}`));
    const run = new Map(answers.map(({ query, entries }) => [query.id, entries]));
    if (runFile) await writeRun(runFile, run, `docfuse-${mode}`);
    evaluated.push({
      ...summarise(mode, answers, others, baseline),
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
      ...warnAbout(
        set.missing.length,
        'judged document is not in the index',
        'judged documents are not in the index',
      ),
      ...warnAbout(
        set.withoutRelevant,
        'query has only grades of 0, and is left out of the means',
        'queries have only grades of 0, and are left out of the means',
      ),
      ...report.skipped.map(({ path, reason }) => `${path} was left out: ${reason}`),
      ...notices,
    ],
  };
}

/** Measures how well search tells answerable from unanswerable queries: at the threshold of the settings, and by the ROC area. */
async function measureRefusal(
  index: Index,
  mode: SearchMode,
  answerable: readonly Answer[],
  unanswerable: readonly Answer[],
  signal?: AbortSignal,
): Promise<Refusal> {
  const answered = async (asked: readonly Answer[]): Promise<number> => {
    let count = 0;
    for (const { query } of asked) {
      const { hits } = await index.search(query.text, { mode, topN: 1, parents: false, signal });
      if (hits.length > 0) count++;
    }
    return count / asked.length;
  };
  const outcomes = [answerable, unanswerable].flatMap((asked) =>
    asked.map(({ entries: [best] }) => ({ confidence: best?.score ?? 0, correct: asked === answerable })),
  );
  const area = rocArea(outcomes);
  return {
    queries: unanswerable.length,
    refused: 1 - (await answered(unanswerable)),
    kept: await answered(answerable),
    ...(area !== undefined && { area }),
  };
}

function warnAbout(count: number, one: string, many: string): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? `1 ${one}` : `${count} ${many}`];
}

/**
 * Reads, for each mode, the run to compare with. The map is empty without a file.
 * @throws DocfuseError `not_found` or `judgements` for a run
 */
export async function readBaselines(
  file: string | undefined,
  modes: readonly SearchMode[],
  queries: readonly Pick<JudgedQuery, 'id'>[],
): Promise<ReadonlyMap<SearchMode, Run>> {
  const runs = new Map<SearchMode, Run>();
  if (file === undefined) return runs;
  for (const mode of modes) {
    const own = nameForMode(file, mode);
    const names = modes.length > 1 ? [own, file] : [file, own];
    const found = names.find((name) => existsSync(name)) ?? file;
    const run = await readRun(found);
    if (!queries.some(({ id }) => run.has(id))) {
      throw new DocfuseError(
        'judgements',
        `The run ${found} answers no query of this set.`,
        'Compare with a run that was written for the same set.',
      );
    }
    runs.set(mode, run);
  }
  return runs;
}

/** `runs/before.trec` → `runs/before.keyword.trec`. */
function nameForMode(file: string, mode: SearchMode): string {
  return file.replace(/(\.[^./\\]+)?$/, `.${mode}$1`);
}

export type Ask = (index: Index, query: string, options: SearchOptions) => Promise<SearchResult>;

interface AskOptions {
  readonly mode: SearchMode;
  readonly minConfidence: number;
  readonly ask?: Ask | undefined;
  readonly onAnswer?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Number of hits of each search: half of the default of `candidates`, because more hits would bring more candidates. */
const DEPTH = 50;
/** Number of searches before time is measured: they fill caches and compile code. */
const WARM_UP = 5;

/** @returns one answer for each query, and the notices that came with every query, such as that vectors are missing */
async function askQueries<Query extends QueryLine>(
  index: Index,
  queries: readonly Query[],
  { mode, minConfidence, ask = (index, ...asked) => index.search(...asked), onAnswer, signal }: AskOptions,
): Promise<{ readonly answers: readonly Answer<Query>[]; readonly notices: readonly string[] }> {
  const search = { mode, minConfidence, topN: DEPTH, parents: false, signal };
  // These searches ask for another number of hits: otherwise the answer cache would answer the measured searches.
  for (const query of queries.slice(0, WARM_UP)) await ask(index, query.text, { ...search, topN: DEPTH - 1 });
  const answers: Answer<Query>[] = [];
  const notices = new Map<string, number>();
  for (const query of queries) {
    const start = performance.now();
    const { hits, notice } = await ask(index, query.text, search);
    const milliseconds = performance.now() - start;
    if (notice) notices.set(notice, (notices.get(notice) ?? 0) + 1);
    const bestChunks = new Map<string, RunEntry>();
    for (const { path, score } of hits) {
      if (!bestChunks.has(path)) bestChunks.set(path, { document: path, score });
    }
    answers.push({ query, entries: [...bestChunks.values()], milliseconds });
    onAnswer?.(answers.length);
  }
  const everywhere = [...notices].filter(([, times]) => times === queries.length);
  return { answers, notices: everywhere.map(([notice]) => notice) };
}
