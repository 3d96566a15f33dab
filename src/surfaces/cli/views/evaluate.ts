/** Search quality on a terminal: what was measured, and what was judged. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { Evaluation } from '../../../engine/evaluate/evaluation.ts';
import { evaluationTitle, judgedShares, tablesOf } from '../../../engine/evaluate/evaluation-tables.ts';
import type { evaluate } from '../../operations/evaluate.ts';
import type { judge } from '../../operations/judge.ts';
import { fromWire } from '../../operations/wire.ts';
import { align } from '../align.ts';
import type { View } from './view.ts';

export const evaluateView: View<typeof evaluate> = {
  show({ notices = [], sets, report_file }, { terminal, print, note }) {
    for (const notice of notices) note(notice);
    for (const set of sets) print(formatEvaluation(fromWire(set), terminal.limits.stdout));
    if (report_file !== undefined) note(`report written: ${report_file}`);
  },
};

export const judgeView: View<typeof judge> = {
  show({ id, judgements, queries, set_folder, notice }, { options, print, note }) {
    // A user who was asked for grades has seen it before.
    if (notice !== undefined && options.grades !== undefined) note(notice);
    for (const { path, grade } of judgements) print(oneLine(`${grade}  ${path}`));
    if (id === undefined) note('Nothing was judged.');
    else {
      const held = queries === 1 ? '1 query' : `${queries} queries`;
      note(`Kept as ${id} in ${set_folder}, which holds ${held} now.`);
    }
  },
};

/**
 * Title, tables, warnings and the runs written; ends with a line feed.
 * @param width that tables keep to, in cells. @default as wide as they come
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
