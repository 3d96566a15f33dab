/**
 * Searches an exported collection by words, and by meaning if its vectors are loaded, with the stages of an index on disk, except those
 * that compare texts.
 */
import { createFragmentRetrieval, type FragmentSource } from './fragments/fragment-retrieval.ts';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from './model/search-settings.ts';
import type { Clock, Embedder } from './ports.ts';
import { parseQuery } from './query/parse.ts';
import { keepPassageFacts } from './search/keep-passage-facts.ts';
import { runPipeline, stagesOfExport } from './search/stages.ts';
import { initialState, type SearchRequest, type SearchServices } from './search/state.ts';
import type { Analyzers } from './text/analyzer.ts';

export interface FragmentIndexOptions extends FragmentSource {
  readonly clock: Clock;
  readonly analyzers: Analyzers;
  /** Embeds queries with the model that made the vectors of the export. Without it, the search is by words alone. */
  readonly model?: Pick<Embedder, 'model' | 'embedQuery'> | undefined;
}

/** `mode` has no effect without a model: the search is then by words alone. @default 'hybrid' */
type FragmentSearchOptions = Partial<
  Pick<SearchRequest, 'mode' | 'topN' | 'filters' | 'explain' | 'minDocuments' | 'minConfidence'>
>;

export type FragmentIndex = ReturnType<typeof createFragmentIndex>;

/**
 * Settings for exports, which have no positions and no code index. Duplicates are not merged, because this would need their
 * texts: `stagesOfExport` has no stages for it. Newer documents are not preferred: documents grow older, but an export stays the same.
 */
const SETTINGS: SearchSettings = {
  ...DEFAULT_SEARCH_SETTINGS,
  nearnessWeight: 0,
  codeSearchEnabled: false,
  contentDedupEnabled: false,
  ngramDedupEnabled: false,
  recencyBias: 0,
};

export function createFragmentIndex({ clock, analyzers, model, ...source }: FragmentIndexOptions) {
  const { prepare, chunks, catalog } = createFragmentRetrieval(source);
  return {
    chunks,
    catalog,
    async search(text: string, options: FragmentSearchOptions = {}, signal?: AbortSignal) {
      const { retrieval, query, lexicon } = await prepare(parseQuery(text, analyzers.all));
      signal?.throwIfAborted();
      const services: SearchServices = {
        retrieval,
        passageFacts: keepPassageFacts(retrieval),
        analyzers,
        lexicon,
        ...model,
      };
      const request: SearchRequest = {
        query,
        mode: 'hybrid',
        topN: 10,
        filters: {},
        explain: false,
        parents: false,
        minConfidence: SETTINGS.minConfidence,
        ...options,
        ...(!model && { mode: 'keyword' }),
        settings: SETTINGS,
        now: clock.now(),
      };
      const stages = stagesOfExport(request);
      const state = await runPipeline(stages, initialState(request), services, clock, signal);
      return { state, services };
    },
  };
}
