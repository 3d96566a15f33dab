/** Asks the queries of a judged set and keeps what was observed of every best hit, so that models can be fitted without searching. */
import { join } from 'node:path';
import type { SearchMode } from '../src/core/model/query.ts';
import { parseQuery } from '../src/core/query/parse.ts';
import { sigmoid } from '../src/core/rank/calibrate.ts';
import { curveOf } from '../src/core/search/calibrate-candidates.ts';
import { observeCandidates } from '../src/core/search/judge-by-evidence.ts';
import { runPipeline } from '../src/core/search/pipeline.ts';
import { STAGES } from '../src/core/search/stages.ts';
import { initialState } from '../src/core/search/state.ts';
import { withinCollections } from '../src/engine/absolute-paths.ts';
import { loadConfig } from '../src/engine/config.ts';
import type { JudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { openOptionsFor } from '../src/engine/evaluate/open-set.ts';
import { composeWorkspace, loadAnalyzers, open } from '../src/engine/open.ts';
import { toSearchSettings } from '../src/engine/search-settings.ts';
import type { Kind, Sample } from './calibration-figures.ts';

export interface ObserveOptions {
  readonly mode: SearchMode;
  /** Most queries of the set itself. */
  readonly limit: number;
  /** Queries of other subjects. */
  readonly foreign: readonly string[];
}

/** A set whose index is up to date. */
export interface OpenSet {
  /** One sample for each query, in the order asked: own and removed ones by turns, those that nothing answers, foreign ones. */
  observe(options: ObserveOptions): Promise<readonly Omit<Sample, 'set'>[]>;
  close(): Promise<void>;
}

/** @param indexPath where the index is, or is made. @default where `docfuse eval` keeps it */
export async function openSet(set: JudgedSet, indexPath?: string): Promise<OpenSet> {
  const options = openOptionsFor(set, indexPath === undefined ? {} : { indexPath });
  const index = await open(options);
  await index.sync();
  await index.close();
  const config = loadConfig(options);
  const analyzers = await loadAnalyzers(config.collections);
  const file = join(index.indexPath, 'index.sqlite');
  const workspace = composeWorkspace(file, { ...config, analyzers, cwd: process.cwd() });
  const settings = toSearchSettings(config.settings);
  const curve = curveOf(settings);

  async function bestHit(query: string, mode: SearchMode, exclude: readonly string[]) {
    const { services } = await workspace.services(mode);
    const start = initialState({
      query: parseQuery(query, analyzers.all),
      mode,
      topN: 1,
      minConfidence: 0,
      filters: withinCollections({ exclude }, workspace.collections),
      explain: false,
      parents: false,
      settings,
      now: workspace.clock.now(),
    });
    const state = await runPipeline(STAGES, start, services, workspace.clock);
    const [hit] = state.hits;
    const candidate = state.candidates.find(({ id }) => id === hit?.chunkId);
    if (hit === undefined || candidate === undefined) return undefined;
    const { observe } = observeCandidates(state, services.catalog);
    const observed = observe(candidate);
    return { path: hit.path, observed, sigmoid: sigmoid(candidate.evidence, curve) };
  }

  return {
    async observe({ mode, limit, foreign }) {
      const samples: Omit<Sample, 'set'>[] = [];
      const ask = async (kind: Kind, query: string, relevant: readonly string[] = []) => {
        const best = await bestHit(query, mode, kind === 'removed' ? relevant : []);
        samples.push({
          kind,
          relevant: kind === 'own' && best !== undefined && relevant.includes(best.path),
          ...(best && { observed: best.observed }),
          sigmoid: best?.sigmoid ?? 0,
        });
      };
      for (const { text, judgements } of set.queries.slice(0, limit)) {
        const relevant = [...judgements].filter(([, grade]) => grade > 0).map(([document]) => document);
        await ask('own', text, relevant);
        await ask('removed', text, relevant);
      }
      for (const { text } of set.unanswerable) await ask('none', text);
      for (const text of foreign) await ask('foreign', text);
      return samples;
    },
    close: () => workspace.close(),
  };
}
