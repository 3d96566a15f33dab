/** Asks for the grades that a set lacks, and keeps them query by query. */
import { DocfuseError } from '../../core/errors.ts';
import type { SearchMode } from '../../core/model/query.ts';
import { askGrades, gradesByPath } from './ask-grades.ts';
import type { OperationContext, OperationControl } from './operation.ts';

export interface CollectedGrades {
  readonly setFolder: string;
  /** Queries that got a grade. */
  readonly queries: number;
  /** Grades that were kept. */
  readonly judgements: number;
  /** Documents among the best that still have none. */
  readonly unjudged: number;
  /** No more is to be asked. */
  readonly ended: boolean;
}

/** @throws {DocfuseError} `usage` where nobody can be asked; whatever the set and its index say */
export async function collectGrades(
  { ask, options }: OperationContext,
  pooled: { readonly set: string; readonly modes: readonly SearchMode[]; readonly depth: number },
  control: OperationControl,
): Promise<CollectedGrades> {
  if (!ask) throw new DocfuseError('usage', 'Nobody can be asked for grades.', 'Leave out collect.');
  const { poolUnjudged } = await import('../../engine/evaluate/pool-unjudged.ts');
  const { collectJudgements } = await import('../../engine/evaluate/collect-judgements.ts');
  const { docs, queries } = await poolUnjudged({ ...pooled, open: options, ...control });
  const total = queries.reduce((sum, { documents }) => sum + documents.length, 0);
  let [judged, judgements, ended] = [0, 0, false];
  for (const [place, { text, documents }] of queries.entries()) {
    const heading = `Query ${place + 1} of ${queries.length}: ${text}`;
    const answer = await askGrades(ask, documents, heading);
    const grades = gradesByPath(documents, answer.given);
    if (grades.size > 0) {
      await collectJudgements(pooled.set, { query: text, grades, unanswerable: false, docs });
      judged += 1;
      judgements += grades.size;
    }
    ended = answer.ended;
    if (ended) break;
  }
  return { setFolder: pooled.set, queries: judged, judgements, unjudged: total - judgements, ended };
}
