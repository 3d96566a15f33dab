/** Fits settings to judged queries, and writes them into the configuration on request. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';
import { snakeCase } from '../../core/model/camel-keys.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { runPipeline, STAGES } from '../../core/search/stages.ts';
import { initialState } from '../../core/search/state.ts';
import { TUNED_WEIGHTS } from '../../core/tune/fit-weights.ts';
import {
  gatherFeatures,
  type QueryFeatures,
  type TuningQuery,
  withEveryLane,
} from '../../core/tune/rescore.ts';
import { type Tuned, tune } from '../../core/tune/tune.ts';
import type { OpenOptions, SyncProgress } from '../api.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { CONFIG_FILE } from '../config/config-file.ts';
import { toSearchSettings } from '../config/search-settings.ts';
import { setNumbers } from '../config/toml-text.ts';
import { composeWorkspace, loadAnalyzers, open, placeOfIndex } from '../open.ts';
import type { EvaluateOptions } from './evaluate.ts';
import { type JudgedSet, openOptionsFor, readJudgedSet, type SetOpenOptions } from './judged-set.ts';
import { distinctNames } from './set-files.ts';
import { cannotWrite, replaceFile } from './write-file.ts';

export type TuneProgress =
  | SyncProgress
  | { readonly phase: 'query' | 'fit'; readonly done: number; readonly total: number };

export interface TuneSetsOptions extends Pick<EvaluateOptions, 'docs' | 'signal'> {
  /** Folders of judged sets, at least one. */
  readonly sets: readonly string[];
  /** Folds of the cross-validation, at least 2. @default 5 */
  readonly folds?: number | undefined;
  /** Equal seeds give equal results. @default 1 */
  readonly seed?: number | undefined;
  /** Write settings that improve search into the project's file, or into the file that `open.config` names. @default false */
  readonly write?: boolean | undefined;
  /** Options for opening the indexes, such as index path and settings. The documents are those of the sets. */
  readonly open?: SetOpenOptions | undefined;
  readonly onProgress?: ((progress: TuneProgress) => void) | undefined;
}

export const USUAL_DEAL = { folds: 5, seed: 1 } as const;

/** Min judged queries: with fewer, no test can distinguish an improvement from chance. */
const MIN_QUERIES = 10;

/**
 * Fits fusion weights and calibration. Each lane scores each candidate once per query; weights are then tried in memory.
 * Candidates are ranked as in a search, but without deduplication and diversification, because these compare candidates with
 * each other.
 * @throws DocfuseError `judgements` if a set is invalid, or if fewer than ten queries are judged; `config` if there is no file to
 *   write to, or if it cannot be edited; also what `open` and `sync` throw
 */
export async function tuneSets(options: TuneSetsOptions) {
  const { folds = USUAL_DEAL.folds, seed = USUAL_DEAL.seed, onProgress, signal } = options;
  const judged = await Array.fromAsync(options.sets, (set) => readJudgedSet(set, options.docs));
  const count = judged.reduce((sum, set) => sum + set.queries.length, 0);
  if (count < MIN_QUERIES) {
    throw new DocfuseError(
      'judgements',
      `Too few judged queries with a relevant document (${count}) to tell an improvement from chance.`,
      `Judge at least ${MIN_QUERIES}; fifty are better.`,
    );
  }
  const given = options.open ?? {};
  const config = loadConfig(openOptionsFor(judged[0]!, given));
  const settings = toSearchSettings(config.settings);
  const target = options.write ? fileToWrite(config, given) : undefined;
  const gathered = await Array.fromAsync(judged, (set) => gather(set, options));
  const began = performance.now();
  const features = gathered.map((set) => set.features);
  async function onFit(done: number, total: number): Promise<void> {
    onProgress?.({ phase: 'fit', done, total });
    // Fitting blocks the event loop: signals are handled only here.
    await setImmediate();
    signal?.throwIfAborted();
  }
  const { tried, ...tuned } = await tune(features, settings, { folds, seed, onFit });
  const seconds = (performance.now() - began) / 1000;
  const values = supportedValues(tuned);
  const toml = Object.keys(values).length > 0 ? (setNumbers('', values) ?? '') : '';
  const written = target !== undefined && toml !== '' ? target : undefined;
  if (written !== undefined) await writeConfig(values, written);
  const folders = judged.map(({ name }, place) => ({ name, folder: options.sets[place]! }));
  const names = await distinctNames(folders);
  return {
    sets: judged.map(({ queries, unanswerable }, place) => ({
      set: names[place]!,
      documents: gathered[place]!.documents,
      queries: queries.length,
      unanswerable: unanswerable.length,
    })),
    folds,
    ...tuned,
    /** Lines for `docfuse.toml`: the settings that improve held-out queries; empty if none do. */
    toml,
    ...(written !== undefined && { written }),
    tried,
    triedPerSecond: Math.round(tried / seconds),
  };
}

async function gather(set: JudgedSet, { open: given = {}, onProgress, signal }: TuneSetsOptions) {
  const options = openOptionsFor(set, given);
  await using index = await open(options);
  await index.sync({ onProgress, signal });
  const { documents } = (await index.status()).index;
  const asked = [...set.queries, ...set.unanswerable];
  const texts = asked.map(({ text }) => text);
  const onQuery = (done: number) => onProgress?.({ phase: 'query', done, total: asked.length });
  const opened = { indexPath: index.indexPath, open: options };
  const features = await readLaneFeatures(texts, { ...opened, onQuery, signal });
  const queries = asked.map((_, place): TuningQuery => {
    const judgements = set.queries[place]?.judgements ?? new Map<string, number>();
    return { features: features[place]!, judgements };
  });
  const answerable = set.queries.length;
  return {
    documents,
    features: { queries: queries.slice(0, answerable), unanswerable: queries.slice(answerable) },
  };
}

/** Returns the settings that improve search, by their names in the configuration file. */
function supportedValues({
  fusion,
  calibration,
}: Pick<Tuned, 'fusion' | 'calibration'>): Record<string, number> {
  const changed = TUNED_WEIGHTS.filter((name) => fusion.after[name] !== fusion.before[name]);
  const { over, after: curve } = calibration;
  const prefix = over === 'evidence' ? 'evidence' : 'score_calibration';
  return {
    ...(fusion.supported &&
      Object.fromEntries(changed.map((name) => [snakeCase(name), fusion.after[name]] as const))),
    ...(calibration.supported &&
      curve && {
        [`${prefix}_threshold`]: round(curve.threshold),
        [`${prefix}_steepness`]: round(curve.steepness),
      }),
  };
}

/** Rounds to four digits: the data do not support more. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}

/** Returns the file to write: the user's own file only if the call names it, because weights of one collection harm others. */
function fileToWrite({ files }: Pick<Config, 'files'>, given: SetOpenOptions): string {
  const cwd = given.cwd ?? process.cwd();
  if (given.config !== undefined) return resolve(cwd, given.config);
  const own = files.find(({ role }) => role === 'project');
  if (own) return own.file;
  const { collections, indexPath } = loadConfig({ ...given, roots: [], corpora: [] }).places;
  if (collections.source !== 'user' && indexPath.source !== 'user') return join(cwd, CONFIG_FILE);
  throw new DocfuseError(
    'config',
    `There is no ${CONFIG_FILE} to write to. With a new one in ${cwd}, collections and index of your own file would not be used there.`,
    `Create one with docfuse config init, or name the file to write to: --config ${files[0]!.file}.`,
  );
}

async function writeConfig(values: Readonly<Record<string, number>>, file: string): Promise<void> {
  const remedy = 'Check its permissions, or copy the lines that tune prints into it.';
  const before = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) =>
    cause.code === 'ENOENT' ? '' : cannotWrite(file, remedy)(cause),
  );
  const after = setNumbers(before, values);
  if (after === undefined) {
    throw new DocfuseError(
      'config',
      `${file} has [search] in a form that cannot be edited line by line.`,
      'Run tune without --write, and copy the lines that it prints into the file.',
    );
  }
  await replaceFile(file, after, remedy);
}

export interface FeatureOptions {
  /** The folder of an index that is up to date. */
  readonly indexPath: string;
  readonly open: OpenOptions;
  readonly onQuery?: (done: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Number of hits, the same as for `eval`. */
const DEPTH = 50;

/** The stages up to fusion. Tuning repeats the later stages for every choice of weights. */
const UP_TO_FUSION = STAGES.slice(0, STAGES.findIndex(({ name }) => name === 'fuse') + 1);

/** @returns one entry for each query, in order */
export async function readLaneFeatures(
  queries: readonly string[],
  { indexPath, open, onQuery, signal }: FeatureOptions,
): Promise<readonly QueryFeatures[]> {
  const cwd = open.cwd ?? process.cwd();
  const config = loadConfig(open);
  const settings = withEveryLane(toSearchSettings(config.settings));
  // Frozen: another process may replace words while minutes of queries run.
  const workspace = composeWorkspace(placeOfIndex(indexPath).openFrozen(), {
    ...config,
    analyzers: await loadAnalyzers(config.collections),
    cwd,
  });
  try {
    const features: QueryFeatures[] = [];
    for (const query of queries) {
      const { services } = await workspace.services('hybrid');
      const start = initialState({
        query: parseQuery(query, workspace.analyzers.all),
        mode: 'hybrid',
        topN: DEPTH,
        minConfidence: 0,
        filters: {},
        explain: false,
        parents: false,
        settings,
        now: workspace.clock.now(),
      });
      const state = await runPipeline(UP_TO_FUSION, start, services, workspace.clock, signal);
      features.push(await gatherFeatures(state, services));
      onQuery?.(features.length);
    }
    return features;
  } finally {
    await workspace.close();
  }
}
