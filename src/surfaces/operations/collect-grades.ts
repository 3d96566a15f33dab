/** Asks a person how well documents answer queries, one document at a time, and saves the grades after each query. */
import * as z from 'zod';
import type { SearchMode } from '../../core/model/query.ts';
import { plural } from '../../core/text/format-numbers.ts';
import { oneLine } from '../../core/text/one-line.ts';
import type { GrowingSet, ShownDocument } from '../../engine/evaluate/pool-unjudged.ts';
import type { OperationContext, OperationControl } from './operation.ts';

export const collectedShape = z.strictObject({
  set_folder: z.string(),
  queries: z.int().describe('Queries that got a grade.'),
  judgements: z.int().describe('Grades that were saved.'),
  left: z.int().describe('Queries that are left to judge.'),
});

type CollectedGrades = z.output<typeof collectedShape>;

export interface Collecting {
  readonly modes: readonly SearchMode[];
  /** Number of documents to take from the top of each mode's ranking. */
  readonly depth: number;
  readonly ask: NonNullable<OperationContext['ask']>;
}

/**
 * Asks for grades in one set after the other until the user stops. After each set, tells the user what was saved.
 * @throws {DocfuseError} errors of searching the index and of writing a set
 */
export async function collectGrades(
  sets: readonly GrowingSet[],
  context: OperationContext,
  { ask, ...pooled }: Collecting,
  control: OperationControl,
): Promise<CollectedGrades[]> {
  /** @returns whether the user stopped */
  async function collectInto(kept: CollectedGrades, growing: GrowingSet): Promise<boolean> {
    const { poolUnjudged } = await import('../../engine/evaluate/pool-unjudged.ts');
    const { collectJudgements } = await import('../../engine/evaluate/collected-set.ts');
    const { set, docs, queries } = growing;
    const pool = poolUnjudged(growing, { ...pooled, open: context.options, ...control });
    for await (const { id, text, before, documents } of pool) {
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

  const collected: CollectedGrades[] = [];
  let ended = false;
  for (const growing of sets) {
    const kept = { set_folder: growing.set, queries: 0, judgements: 0, left: growing.queries.length };
    collected.push(kept);
    if (ended) continue;
    try {
      ended = await collectInto(kept, growing);
    } finally {
      context.tell?.(sentence(kept));
    }
  }
  return collected;
}

function sentence({ set_folder, judgements, left }: CollectedGrades): string {
  const done = judgements > 0 ? `${plural(judgements, 'grade')} saved` : 'Nothing was judged';
  return `${done} in ${set_folder}; queries left to judge: ${left}.`;
}

/** A grade as typed. `-` means that the document gets no grade. */
export const gradeShape = z.enum(['0', '1', '2', '-']);

/**
 * Asks for the grade of each document.
 * @param heading shown once, before the first document
 * @returns `given`: the grades; if the user stopped, only those of the first documents. `ended`: whether the user stopped
 * @throws {DocfuseError} `judgements`, before anything is asked, if a path cannot be written to a set
 */
export async function askGrades(
  ask: NonNullable<OperationContext['ask']>,
  documents: readonly ShownDocument[],
  heading?: string,
): Promise<{ readonly given: readonly z.output<typeof gradeShape>[]; readonly ended: boolean }> {
  const { requirePlain } = await import('../../engine/evaluate/set-files.ts');
  for (const { path } of documents) requirePlain('path', path);
  const given: z.output<typeof gradeShape>[] = [];
  for (const [place, { path, text }] of documents.entries()) {
    const question = `${place + 1} of ${documents.length}  ${oneLine(path)}\n${text}`;
    const first = heading !== undefined && place === 0 ? `${oneLine(heading)}\n` : '';
    const heard = await ask(first + question, [...gradeShape.options, 'q']);
    if (heard === undefined || heard === 'q') return { given, ended: true };
    given.push(gradeShape.parse(heard));
  }
  return { given, ended: false };
}

/** Returns the grades by path, without documents that got no grade. */
export function gradesByPath(
  documents: readonly Pick<ShownDocument, 'path'>[],
  given: readonly z.output<typeof gradeShape>[],
): ReadonlyMap<string, number> {
  const graded = given.map((grade, place) => [documents[place]!.path, Number(grade)] as const);
  return new Map(graded.filter(([, grade]) => !Number.isNaN(grade)));
}
