/** Has another program score the runs we wrote, and compares its figures with ours. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { reciprocalRank } from '../src/core/evaluate/metrics.ts';
import type { ModeEvaluation } from '../src/engine/evaluate/evaluation.ts';
import { readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { readRun } from '../src/engine/evaluate/trec-run.ts';

/** What such a program prints: means over judged queries; `mrr` looks at the first 100 documents, ours at 10. */
const scoresSchema = z.object({
  'ndcg@5': z.number(),
  'ndcg@10': z.number(),
  'recall@10': z.number(),
  'hit@1': z.number(),
  mrr: z.number(),
  queries: z.int(),
});

/** Its figures are rounded to four places. */
const TOLERANCE = 1e-4;

/**
 * Runs `python3 scorer folder run` and compares.
 * @returns the largest difference of any measure
 * @throws Error naming the measure that differs by more than a unit of the fourth place
 */
export async function checkScorer(
  scorer: string,
  folder: string,
  evaluated: ModeEvaluation,
): Promise<number> {
  const runFile = evaluated.runFile;
  if (runFile === undefined) throw new Error('checking needs a run file');
  const { stdout } = await promisify(execFile)('python3', [scorer, folder, runFile]);
  const theirs = scoresSchema.parse(JSON.parse(stdout));
  const { metrics } = evaluated;
  const pairs: readonly (readonly [name: string, ours: number, theirs: number])[] = [
    ['nDCG@5', metrics.ndcg5, theirs['ndcg@5']],
    ['nDCG@10', metrics.ndcg10, theirs['ndcg@10']],
    ['Recall@10', metrics.recall10, theirs['recall@10']],
    ['Hit@1', metrics.hit1, theirs['hit@1']],
    ['MRR@100', await meanReciprocalRank(folder, runFile), theirs.mrr],
  ];
  for (const [name, ours, other] of pairs) {
    if (Math.abs(ours - other) > TOLERANCE) {
      throw new Error(`${folder} ${evaluated.mode}: ${name} is ${ours} here and ${other} by ${scorer}`);
    }
  }
  return Math.max(...pairs.map(([, ours, other]) => Math.abs(ours - other)));
}

async function meanReciprocalRank(folder: string, runFile: string): Promise<number> {
  const run = await readRun(runFile);
  const { queries } = await readJudgedSet(folder);
  const ranks = queries.map(({ id, judgements }) => {
    const ranking = (run.get(id) ?? []).map(({ document }) => document);
    return reciprocalRank(ranking, judgements, 100);
  });
  return ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
}
