/** Prints search quality as aligned tables. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { Evaluation } from '../../../engine/evaluate/evaluation.ts';
import { evaluationTitle, judgedShares, tablesOf } from '../../../engine/evaluate/evaluation-tables.ts';
import { fromWire } from '../../operations/wire.ts';
import { align } from '../align.ts';
import type { Answer, ViewContext } from './view.ts';

export function showEvaluations(
  { notices = [], sets, report_file }: Answer<'eval'>,
  { terminal, print, note }: ViewContext,
): void {
  for (const notice of notices) note(notice);
  for (const set of sets) print(formatEvaluation(fromWire(set), terminal.limits.stdout));
  if (report_file !== undefined) note(`report written: ${report_file}`);
}

/**
 * Returns the title, the tables, the warnings and the names of the written runs; ends with a line feed.
 * @param width max width of tables, in cells. @default unlimited
 */
export function formatEvaluation(evaluation: Evaluation, width?: number): string {
  const [measures, ...others] = tablesOf(evaluation).map(({ caption, header, rows }) => {
    const table = align([header, ...rows.map((row) => row.map(oneLine))], width);
    return caption === undefined ? table : `${oneLine(caption)}\n${table}`;
  });
  const warnings = evaluation.warnings.map((warning) => oneLine(`warning: ${warning}`));
  const runs = evaluation.modes.map(({ runFile }) => (runFile ? oneLine(`run written: ${runFile}`) : ''));
  const parts = [oneLine(evaluationTitle(evaluation)), measures, judgedShares(evaluation), ...others];
  return `${[...parts, warnings.join('\n'), runs.join('\n').trim()].filter(Boolean).join('\n\n')}\n`;
}
