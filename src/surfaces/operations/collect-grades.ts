/** Asks for the grades that sets lack, and keeps them query by query. */
import type { SearchMode } from '../../core/model/query.ts';
import type { GrowingSet } from '../../engine/evaluate/pool-unjudged.ts';
import { askGrades, gradesByPath } from './ask-grades.ts';
import type { OperationContext, OperationControl } from './operation.ts';

export interface CollectedGrades {
  readonly setFolder: string;
  /** Queries that got a grade. */
  readonly queries: number;
  /** Grades that were kept. */
  readonly judgements: number;
  /** Queries that nobody came to the end of. */
  readonly left: number;
}

export interface Collecting {
  readonly modes: readonly SearchMode[];
  /** Best documents of each mode. */
  readonly depth: number;
  readonly ask: NonNullable<OperationContext['ask']>;
}

/**
 * Goes through one set after the other until no more is to be asked, and tells of each what was kept as soon as it is done with.
 * @throws {DocfuseError} whatever the index says, or the set when it is written
 */
export async function collectGrades(
  sets: readonly GrowingSet[],
  context: OperationContext,
  collecting: Collecting,
  control: OperationControl,
): Promise<readonly CollectedGrades[]> {
  const collected: CollectedGrades[] = [];
  let ended = false;
  for (const growing of sets) {
    const kept = { setFolder: growing.set, queries: 0, judgements: 0, left: growing.queries.length };
    collected.push(kept);
    if (ended) continue;
    try {
      ended = await collectInto(kept, growing, context, collecting, control);
    } finally {
      context.tell?.(sentence(kept));
    }
  }
  return collected;
}

type Counted = { -readonly [Count in keyof CollectedGrades]: CollectedGrades[Count] };

/** @returns whether no more is to be asked */
async function collectInto(
  kept: Counted,
  growing: GrowingSet,
  { options }: OperationContext,
  { ask, ...pooled }: Collecting,
  control: OperationControl,
): Promise<boolean> {
  const { poolUnjudged } = await import('../../engine/evaluate/pool-unjudged.ts');
  const { collectJudgements } = await import('../../engine/evaluate/collect-judgements.ts');
  const { set, docs, queries } = growing;
  for await (const { id, text, before, documents } of poolUnjudged(growing, {
    ...pooled,
    open: options,
    ...control,
  })) {
    kept.left = queries.length - before;
    const heading = `Query ${before + 1} of ${queries.length}: ${text}`;
    const { given, ended } = await askGrades(ask, documents, heading);
    const grades = gradesByPath(documents, given);
    if (grades.size > 0) {
      await collectJudgements(set, { id, query: text, grades, unanswerable: false, docs });
      kept.queries += 1;
      kept.judgements += grades.size;
    }
    if (ended) return true;
  }
  kept.left = 0;
  return false;
}

function sentence({ setFolder, judgements, left }: CollectedGrades): string {
  const grades = judgements === 1 ? '1 grade' : `${judgements} grades`;
  const done = judgements > 0 ? `${grades} kept` : 'Nothing was judged';
  return `${done} in ${setFolder}; queries left to go through: ${left}.`;
}
