/** Asks the queries of a judged set and keeps what was observed of every best hit, so that models can be fitted without searching. */
import type { SearchMode } from '../src/core/model/query.ts';
import { RANKING } from '../src/core/model/ranking-constants.ts';
import { sigmoid } from '../src/core/rank/confidence.ts';
import { curveOf, featuresIn } from '../src/core/search/calibrate-candidates.ts';
import type { JudgedSet } from '../src/engine/evaluate/judged-set.ts';
import type { Kind, Sample } from './calibration-figures.ts';
import { openInside } from './open-inside.ts';

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
  const inside = await openInside(set, indexPath === undefined ? {} : { indexPath });
  const curve = curveOf(inside.settings, RANKING);

  async function bestHit(query: string, mode: SearchMode, exclude: readonly string[]) {
    const { state } = await inside.search(query, { mode, topN: 1, exclude });
    const [hit] = state.hits;
    const candidate = state.candidates.find(({ id }) => id === hit?.chunkId);
    if (hit === undefined || candidate === undefined) return undefined;
    const { featuresOf } = featuresIn(state);
    const observed = featuresOf(candidate);
    return { path: hit.path, observed, sigmoid: sigmoid(candidate.absolute, curve) };
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
    close: inside.close,
  };
}
