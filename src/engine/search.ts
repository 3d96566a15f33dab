/** One search: the query parsed, the pipeline run, the answer put together. */

import { DocfuseError } from '../core/errors.ts';
import type { SearchMode } from '../core/model/query.ts';
import type { SearchSettings } from '../core/model/search-settings.ts';
import { parseQuery } from '../core/query/parse.ts';
import { runPipeline } from '../core/search/pipeline.ts';
import { HYPOTHESIS_STAGES, STAGES } from '../core/search/stages.ts';
import { initialState, type SearchState, type Stage } from '../core/search/state.ts';
import { withinCollections } from './absolute-paths.ts';
import type { HypothesisOptions, IndexFacts, SearchOptions, SearchResult } from './api.ts';
import type { Workspace } from './workspace.ts';

/** The largest answer anyone can ask for. */
const MAX_TOP_N = 100;

/**
 * Searches what is in the index now.
 * @throws whatever `signal` was aborted with
 */
export async function search(
  workspace: Workspace,
  settings: SearchSettings,
  query: string,
  options: SearchOptions,
): Promise<SearchResult> {
  return run(workspace, settings, { query, stages: STAGES, options });
}

/**
 * Searches by the meaning of a text written as the answer might read.
 * @throws DocfuseError `config` where the settings forbid it, `runtime_missing`; whatever the signal was aborted with
 */
export async function searchWithHypothesis(
  workspace: Workspace,
  settings: SearchSettings,
  hypothesis: string,
  { query = '', ...options }: HypothesisOptions,
): Promise<SearchResult> {
  if (!settings.hydeEnabled) {
    throw new DocfuseError(
      'config',
      'Searching with a hypothesis is switched off by search.advanced.hyde_enabled.',
      'Set it to true in docfuse.toml or with --set hyde_enabled=true, or search with the question.',
    );
  }
  const semantic: SearchOptions = { ...options, mode: 'semantic' };
  return run(workspace, settings, { query, hypothesis, stages: HYPOTHESIS_STAGES, options: semantic });
}

interface Run {
  readonly query: string;
  readonly hypothesis?: string;
  readonly stages: readonly Stage[];
  readonly options: SearchOptions;
}

async function run(
  workspace: Workspace,
  settings: SearchSettings,
  { query, hypothesis, stages, options }: Run,
): Promise<SearchResult> {
  const { clock } = workspace;
  const began = clock.monotonic();
  const mode = options.mode ?? 'hybrid';
  const minConfidence = options.minConfidence ?? settings.minConfidence;
  const { services, problem } = await workspace.services(mode);
  const topN = Math.min(MAX_TOP_N, Math.max(1, options.topN ?? settings.topN));
  const parsed = parseQuery(query);
  const start = initialState({
    query: { ...parsed, filters: withinCollections(parsed.filters, workspace.collections) },
    mode,
    topN,
    minConfidence,
    filters: withinCollections(options.filters ?? {}, workspace.collections),
    explain: options.explain ?? false,
    parents: options.parents ?? true,
    settings,
    now: clock.now(),
    ...(hypothesis === undefined ? {} : { hypothesis }),
  });
  const state = await runPipeline(stages, start, services, clock, options.signal);
  const index = workspace.facts();
  const notice = problem ?? noticeFor(state, index);
  return {
    query,
    ...(hypothesis === undefined ? {} : { hypothesis }),
    mode,
    queryType: state.queryType,
    weights: state.weights.fusion,
    hits: state.hits,
    stats: statsOf(state),
    timingsMs: {
      ...Object.fromEntries(
        state.trace.map(({ stage, milliseconds }) => [stage, microseconds(milliseconds)]),
      ),
      total: microseconds(clock.monotonic() - began),
    },
    index,
    ...(notice ? { notice } : {}),
  };
}

function statsOf(state: SearchState): SearchResult['stats'] {
  const left = (stage: string) => state.trace.find((entry) => entry.stage === stage)?.candidates ?? 0;
  return {
    originalCount: left('fuse'),
    afterThreshold: left('threshold'),
    afterContentDedup: left('content_dedup'),
    afterNgramDedup: left('ngram_dedup'),
    afterSemanticDedup: left('semantic_dedup'),
    afterDocumentLimit: left('document_limit'),
    clustersMerged: state.candidates.filter((candidate) => candidate.merged !== undefined).length,
  };
}

/** The one thing the reader must know, most important first. */
function noticeFor(state: SearchState, index: IndexFacts): string | undefined {
  const { mode, query, minConfidence } = state.request;
  const found = state.trace.find((entry) => entry.stage === 'fuse')?.candidates ?? 0;
  if (index.documents === 0) {
    return index.updated ? 'The index holds no documents.' : 'There is no index yet; docfuse index makes it.';
  }
  if (state.request.hypothesis === undefined && query.plain === '') {
    return 'The query holds no words to search for.';
  }
  if (state.mask?.every((allowed) => allowed === 0)) return 'No document passes the filters.';
  if (mode === 'semantic' && index.embedded === 0)
    return 'No passage has a vector yet; docfuse index makes them.';
  if (usesVectors(mode) && index.embedded < index.chunks) {
    return `${index.embedded} of ${index.chunks} passages have vectors so far; the others are found by words only.`;
  }
  if (state.hits.length === 0 && found > 0) {
    const percent = Math.round(minConfidence * 100);
    return `Nothing here answers this: no passage reaches a confidence of ${percent} %; --min-confidence 0 shows the nearest.`;
  }
  if (state.relaxed) {
    const phrases = query.phrases.map((phrase) => `"${phrase.text}"`).join(', ');
    return `No passage holds ${phrases}; its words were searched instead.`;
  }
  return undefined;
}

function usesVectors(mode: SearchMode): boolean {
  return mode === 'hybrid' || mode === 'semantic';
}

/** No clock is finer. */
function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
