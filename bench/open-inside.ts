/** Opens the index of a judged set from inside, to run the stages of the search one by one and under constants of one's own. */
import type { SearchMode } from '../src/core/model/query.ts';
import { RANKING, type RankingConstants } from '../src/core/model/ranking-constants.ts';
import type { SearchSettings } from '../src/core/model/search-settings.ts';
import { parseQuery } from '../src/core/query/parse.ts';
import { runSearch } from '../src/core/search/run-search.ts';
import {
  initialState,
  type SearchRequest,
  type SearchServices,
  type SearchState,
} from '../src/core/search/state.ts';
import { loadConfig } from '../src/engine/config/config.ts';
import { toSearchSettings } from '../src/engine/config/search-settings.ts';
import type { JudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { openOptionsFor, type SetOpenOptions } from '../src/engine/evaluate/judged-set.ts';
import { composeWorkspace, loadAnalyzers, open, placeOfIndex } from '../src/engine/open.ts';
import { withinCollections } from '../src/engine/search/absolute-paths.ts';

export interface Inside {
  readonly settings: SearchSettings;
  /** Every stage, without threshold. */
  search(
    query: string,
    asked: Asked,
  ): Promise<{ readonly state: SearchState; readonly services: SearchServices }>;
  close(): Promise<void>;
}

export interface Asked extends Pick<SearchRequest, 'mode' | 'topN'> {
  /** Documents left out. */
  readonly exclude?: readonly string[];
}

/** @param given index path and settings; the index is brought up to date first */
export async function openInside(
  set: JudgedSet,
  given: SetOpenOptions,
  constants: RankingConstants = RANKING,
): Promise<Inside> {
  const options = openOptionsFor(set, given);
  const index = await open(options);
  await index.sync();
  await index.close();
  const config = loadConfig(options);
  const analyzers = await loadAnalyzers(config.collections);
  const { words } = constants;
  const workspace = composeWorkspace(placeOfIndex(index.indexPath).open(), {
    ...config,
    analyzers,
    words,
    cwd: process.cwd(),
  });
  const settings = toSearchSettings(config.settings);
  const known = new Map<SearchMode, SearchServices>();

  async function servicesFor(mode: SearchMode): Promise<SearchServices> {
    const found = known.get(mode) ?? (await workspace.services(mode)).services;
    known.set(mode, found);
    return found;
  }

  return {
    settings,
    async search(query, { mode, topN, exclude = [] }) {
      const services = await servicesFor(mode);
      const request: SearchRequest = {
        query: parseQuery(query, analyzers.all),
        mode,
        topN,
        minConfidence: 0,
        filters: withinCollections({ exclude }, workspace.collections),
        explain: false,
        parents: false,
        settings,
        now: workspace.clock.now(),
      };
      const start = initialState(request, constants);
      return { state: await runSearch(start, services, workspace.clock), services };
    },
    close: () => workspace.close(),
  };
}
