/** The hit rates qmd's own test suite asserts, on its 24 queries of four difficulties. */
import { hit } from '../src/core/evaluate/metrics.ts';
import type { SearchMode } from '../src/core/model/query.ts';
import { readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { readRun } from '../src/engine/evaluate/trec-run.ts';

export interface ThresholdResult {
  readonly mode: SearchMode;
  /** A difficulty, or `overall` for all queries. */
  readonly difficulty: string;
  readonly depth: number;
  readonly hitRate: number;
  readonly threshold: number;
  readonly passed: boolean;
}

/** Share of queries whose document is among the first `depth`; from qmd's `eval.test.ts`. */
const THRESHOLDS: readonly Pick<ThresholdResult, 'mode' | 'difficulty' | 'depth' | 'threshold'>[] = [
  { mode: 'keyword', difficulty: 'easy', depth: 3, threshold: 0.8 },
  { mode: 'keyword', difficulty: 'medium', depth: 3, threshold: 0.15 },
  { mode: 'keyword', difficulty: 'hard', depth: 5, threshold: 0.15 },
  { mode: 'keyword', difficulty: 'overall', depth: 3, threshold: 0.4 },
  { mode: 'semantic', difficulty: 'easy', depth: 3, threshold: 0.6 },
  { mode: 'semantic', difficulty: 'medium', depth: 3, threshold: 0.4 },
  { mode: 'semantic', difficulty: 'hard', depth: 5, threshold: 0.3 },
  { mode: 'semantic', difficulty: 'overall', depth: 3, threshold: 0.5 },
  { mode: 'hybrid', difficulty: 'easy', depth: 3, threshold: 0.8 },
  { mode: 'hybrid', difficulty: 'medium', depth: 3, threshold: 0.5 },
  { mode: 'hybrid', difficulty: 'hard', depth: 5, threshold: 0.35 },
  { mode: 'hybrid', difficulty: 'fusion', depth: 3, threshold: 0.5 },
  { mode: 'hybrid', difficulty: 'overall', depth: 3, threshold: 0.6 },
];

/** Hit rates of one mode's run on qmd's set, each beside what qmd asserts. */
export async function checkThresholds(
  folder: string,
  mode: SearchMode,
  runFile: string,
): Promise<readonly ThresholdResult[]> {
  const run = await readRun(runFile);
  const { queries } = await readJudgedSet(folder);
  return THRESHOLDS.filter((row) => row.mode === mode).map((row) => {
    const asked = queries.filter(({ type }) => row.difficulty === 'overall' || type === row.difficulty);
    const hits = asked.map(({ id, judgements }) => {
      const ranking = (run.get(id) ?? []).map(({ document }) => document);
      return hit(ranking, judgements, row.depth);
    });
    const hitRate = hits.reduce((sum, one) => sum + one, 0) / asked.length;
    return { ...row, hitRate, passed: hitRate >= row.threshold };
  });
}
