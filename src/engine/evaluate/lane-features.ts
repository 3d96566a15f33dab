/** Runs each judged query up to fusion, and keeps all data that later ranking uses. */
import { parseQuery } from '../../core/query/parse.ts';
import { runPipeline, STAGES } from '../../core/search/stages.ts';
import { initialState } from '../../core/search/state.ts';
import { gatherFeatures, type QueryFeatures, withEveryLane } from '../../core/tune/rescore.ts';
import type { OpenOptions } from '../api.ts';
import { loadConfig } from '../config/config.ts';
import { toSearchSettings } from '../config/search-settings.ts';
import { composeWorkspace, loadAnalyzers, placeOfIndex } from '../open.ts';

export interface FeatureOptions {
  /** The folder of an index that is up to date. */
  readonly indexPath: string;
  readonly open: OpenOptions;
  readonly onQuery?: (done: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Number of hits, the same as for `eval`. */
const DEPTH = 100;

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
  const workspace = composeWorkspace(placeOfIndex(indexPath).open(), {
    ...config,
    analyzers: await loadAnalyzers(config.collections),
    cwd,
  });
  try {
    const { services } = await workspace.services('hybrid');
    const features: QueryFeatures[] = [];
    for (const query of queries) {
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
