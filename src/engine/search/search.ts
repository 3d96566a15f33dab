/** Runs one search: parses the query, runs the pipeline and builds the answer. */
import { DocfuseError } from '../../core/errors.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { Hit } from '../../core/model/hit.ts';
import type { SearchSettings } from '../../core/model/search-settings.ts';
import type { Awaitable } from '../../core/ports.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { runSearch } from '../../core/search/run-search.ts';
import { initialState, type SearchServices, type SearchState } from '../../core/search/state.ts';
import type { HypothesisOptions, IndexFacts, SearchOptions, SearchResult } from '../api.ts';
import { createFileOf } from '../file-of.ts';
import type { Applied } from '../filters.ts';
import { scriptNotRead } from '../model-advice.ts';
import type { Chosen } from '../workspace/embedding-models.ts';
import { areWordsLost } from '../workspace/saved-segments.ts';
import { isEmbeddingUnavailable, NOT_RERANKED, wordsOnly } from '../workspace/semantic-index.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { CollectionRoot } from '../workspace/workspace-parts.ts';
import { withinCollections } from './absolute-paths.ts';
import { describeLimits } from './describe-limits.ts';
import { lateReplica, noticeFor } from './notice.ts';
import { statsOf, weightsOf } from './state-facts.ts';

export type SearchableWorkspace = Pick<
  Workspace,
  'analyzers' | 'clock' | 'facts' | 'checkWords' | 'refresh' | 'services'
> & {
  /** Called only if no passage passes the filters, because a publication then reads its documents. */
  catalog(): Awaitable<Catalog>;
  readonly collections: readonly CollectionRoot[];
};

/** @throws the reason of `signal` if it is aborted */
export async function search(
  workspace: SearchableWorkspace,
  settings: SearchSettings,
  query: string,
  options: Applied<SearchOptions>,
): Promise<SearchResult> {
  return run(workspace, settings, { query, options });
}

/**
 * Searches for passages close in meaning to a hypothetical answer.
 * @throws DocfuseError `config` if the settings forbid it, `runtime_missing`; the reason of the signal if it is aborted
 */
export async function searchWithHypothesis(
  workspace: SearchableWorkspace,
  settings: SearchSettings,
  hypothesis: string,
  { query, ...options }: Applied<HypothesisOptions>,
): Promise<SearchResult> {
  if (!settings.hydeEnabled) {
    throw new DocfuseError(
      'config',
      'Searching with a hypothesis is switched off by search.advanced.hyde_enabled.',
      'Set it to true in docfuse.toml or with --set hyde_enabled=true, or search with the question.',
    );
  }
  return run(workspace, settings, { query, hypothesis, options: { ...options, mode: 'semantic' } });
}

const FORMER = 'The former model answers until the new one has made its vectors.';

/** If the sure hits come from fewer documents than this, unsure hits are shown too. */
const MIN_DOCUMENTS = 3;

interface Run {
  readonly query: string | undefined;
  readonly hypothesis?: string;
  readonly options: Applied<SearchOptions>;
}

/** One repetition is not enough beside a process that writes without a pause. */
const MAX_TRIES = 5;

/** Searches again if words were replaced or damaged since the index was opened. */
async function run(...given: Parameters<typeof runOnce>): Promise<SearchResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(...given);
    } catch (error) {
      if (!areWordsLost(error) || tries === MAX_TRIES) throw error;
      given[0].checkWords();
    }
  }
}

async function runOnce(
  workspace: SearchableWorkspace,
  given: SearchSettings,
  asked: Run,
  again = false,
): Promise<SearchResult> {
  const { query, hypothesis, options } = asked;
  const settings = settingsFor(options, given);
  const { clock } = workspace;
  const began = clock.monotonic();
  const mode = options.mode ?? 'hybrid';
  // A hypothesis has no default threshold, because confidence is not fitted to such long texts.
  const minConfidence = options.minConfidence ?? (hypothesis === undefined ? settings.minConfidence : 0);
  const parsed = parseQuery(query ?? '', workspace.analyzers.all);
  const start = initialState({
    query: { ...parsed, filters: withinCollections(parsed.filters, workspace.collections) },
    mode,
    topN: options.topN ?? settings.topN,
    minConfidence,
    // A caller who gives a threshold wants nothing below it.
    minDocuments: options.minConfidence === undefined ? MIN_DOCUMENTS : 0,
    filters: withinCollections(options.filters ?? {}, workspace.collections),
    explain: options.explain ?? false,
    parents: options.parents ?? true,
    settings,
    now: clock.now(),
    ...(hypothesis === undefined ? {} : { hypothesis }),
  });
  let { services, role, problem } = await workspace.services(mode, start.request);
  const rerank: SearchServices['rerank'] = async (...given) => {
    try {
      return await services.rerank?.(...given);
    } catch (error) {
      if (!isEmbeddingUnavailable(error)) throw error;
      problem ??= `${NOT_RERANKED} ${error.message} ${error.remedy}`;
      return undefined;
    }
  };
  const answer = (from: SearchServices) => runSearch(start, { ...from, rerank }, clock, options.signal);
  const state = await answer(services).catch(async (error: unknown) => {
    // The former model is closed when the new model has made all vectors. That may have happened during this search.
    if (role === 'former' && !options.signal?.aborted) {
      ({ services, role, problem } = await workspace.services(mode, start.request));
      return answer(services);
    }
    // An embedding service may stop after its vectors were loaded: queries cannot be embedded then, so search by words.
    if (mode !== 'hybrid' || !isEmbeddingUnavailable(error)) throw error;
    problem = wordsOnly(error);
    ({ services, role } = await workspace.services('keyword'));
    return answer(services);
  });
  // Another process may have replaced the passages during the search. If so, search once more.
  if (state.hits.length === 0 && !again && workspace.refresh()) return runOnce(workspace, given, asked, true);
  const result = buildResult(state, services, {
    query,
    hypothesis,
    problem,
    catalog: state.found.passing === 0 ? await workspace.catalog() : undefined,
    collections: workspace.collections,
    index: factsOfAnswer(workspace.facts(), role, services.model),
    milliseconds: clock.monotonic() - began,
  });
  return role === 'former' ? { notice: FORMER, ...result } : result;
}

/** Facts for the answer that are not in the state of the pipeline. */
interface ResultFacts {
  readonly index: IndexFacts;
  readonly query: string | undefined;
  readonly hypothesis: string | undefined;
  readonly catalog: Catalog | undefined;
  readonly collections: readonly CollectionRoot[];
  /** Why only words were searched; undefined if vectors were searched too, or not wanted. */
  readonly problem: string | undefined;
  /** Milliseconds from question to answer. */
  readonly milliseconds: number;
}

function buildResult(
  state: SearchState,
  services: SearchServices,
  { query, hypothesis, problem, catalog, collections, index, milliseconds }: ResultFacts,
): SearchResult {
  const fileOf = createFileOf(collections);
  const withFile = (hit: Hit): Hit => {
    const file = fileOf(hit);
    return file === undefined ? hit : { ...hit, file };
  };
  const { models: _, behindSeconds: __, ...shown } = index;
  const { words } = services.retrieval;
  const notices = [
    lateReplica(index),
    noticeFor(state, services, catalog, index),
    scriptNotRead(state.request, words, index.model),
  ];
  if (state.request.explain) notices.push(...describeLimits(services.retrieval.capabilities));
  const notice = problem ?? notices.filter(Boolean).join(' ');
  return {
    ...(query === undefined ? {} : { query }),
    ...(hypothesis === undefined ? {} : { hypothesis }),
    mode: state.request.mode,
    ...(state.trace.some(({ stage }) => stage === 'classify') && { queryType: state.queryType }),
    ...(state.queryTypeReason !== undefined && { querySign: state.queryTypeReason }),
    weights: weightsOf(state),
    hits: state.hits.map(withFile),
    unsure: state.unsureHits.map(withFile),
    stats: statsOf(state),
    timingsMs: {
      ...Object.fromEntries(state.trace.map((stage) => [stage.stage, microseconds(stage.milliseconds)])),
      total: microseconds(milliseconds),
    },
    index: shown,
    ...(notice ? { notice } : {}),
  };
}

/** Rounds to microseconds: clocks are not more precise. */
function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** Replaces the facts about the first model by those about the model that answered. */
function factsOfAnswer(facts: IndexFacts, role: Chosen['role'], answered: string | undefined): IndexFacts {
  // The former model counts as complete: it answers only while it has more vectors than the new model.
  if (role === 'former')
    return { ...facts, model: answered ?? facts.model, embedded: facts.chunks, stale: false };
  const found = facts.models?.[role === 'first' ? 0 : 1];
  if (!found) return facts;
  const { model, embedded, of } = found;
  return { ...facts, model, embedded, stale: embedded < of };
}

/** Applies the options that override settings. A limit of hits per document switches MMR off, because MMR ignores the limit. */
function settingsFor(
  { perDocument, rerank }: Pick<SearchOptions, 'perDocument' | 'rerank'>,
  settings: SearchSettings,
): SearchSettings {
  return {
    ...settings,
    ...(perDocument !== undefined && { maxChunksPerDoc: perDocument, mmrEnabled: false }),
    ...(rerank === false && { rerankEnabled: false }),
  };
}
