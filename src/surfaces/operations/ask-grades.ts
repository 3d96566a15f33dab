/** Asks a person how well documents answer a query, one by one. */
import * as z from 'zod';
import { oneLine } from '../../core/text/one-line.ts';
import type { ShownDocument } from '../../engine/evaluate/best-documents.ts';
import type { OperationContext } from './operation.ts';

/** `-` leaves a document without a grade. */
export const gradeShape = z.enum(['0', '1', '2', '-']);

/**
 * @param heading shown once, before the first document
 * @returns the answers, as many as were given; `ended` where no more is to be asked
 * @throws {DocfuseError} `judgements` before anything is asked, for a path whose grade could not be kept
 */
export async function askGrades(
  ask: NonNullable<OperationContext['ask']>,
  documents: readonly ShownDocument[],
  heading?: string,
): Promise<{ readonly given: readonly z.output<typeof gradeShape>[]; readonly ended: boolean }> {
  const { requirePlain } = await import('../../engine/evaluate/judgement-files.ts');
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

/** Grades by path; documents without one are not in it. */
export function gradesByPath(
  documents: readonly Pick<ShownDocument, 'path'>[],
  given: readonly z.output<typeof gradeShape>[],
): ReadonlyMap<string, number> {
  const graded = given.map((grade, place) => [documents[place]!.path, Number(grade)] as const);
  return new Map(graded.filter(([, grade]) => !Number.isNaN(grade)));
}
