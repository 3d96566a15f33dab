/** Prints search quality, and what a fit changes, as aligned tables. */
import { plural } from '../../../core/text/format-numbers.ts';
import { oneLine } from '../../../core/text/one-line.ts';
import type { Evaluation } from '../../../engine/evaluate/evaluation.ts';
import {
  DIFFERENCE_HEADER,
  differenceCells,
  evaluationTitle,
  judgedShares,
  tablesOf,
} from '../../../engine/evaluate/evaluation-tables.ts';
import { fromWire } from '../../operations/wire.ts';
import { align, type Row } from '../align.ts';
import type { Answer, ViewContext } from './views.ts';

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

type Tuning = Answer<'tune'>;
type HeldOut = Tuning['fusion']['held_out'];

export function showTuning(tuning: Tuning, { terminal, print, write }: ViewContext): void {
  const table = (rows: readonly Row[]) => align(rows, terminal.limits.stdout);
  const { sets, folds, fusion, calibration, toml, written } = tuning;
  for (const { set, documents, queries } of sets) {
    print(oneLine(`${set}: ${plural(documents, 'document')}, judged queries: ${queries}`));
  }
  print(`\n${table([['', 'now', 'fitted'], ...weightRows(fusion)])}`);
  print(`\nnDCG@10 of held-out queries (${folds} folds)`);
  print(
    table([
      ['', ...HEADER],
      heldOutRow('all', fusion.held_out),
      ...(sets.length > 1 ? sets.map(({ set }, place) => heldOutRow(set, fusion.by_set[place]!)) : []),
      ...(fusion.left_out ?? []).map((held, place) =>
        heldOutRow(`${sets[place]!.set}, fitted to the others`, held),
      ),
    ]),
  );
  print(fusion.supported ? 'An improvement.' : 'No statistically significant improvement.');
  printCalibration(calibration, table, print);
  if (toml === '') print('\nNo setting changes.');
  else {
    print(
      written !== undefined
        ? `\nWritten into ${oneLine(written)}:\n`
        : '\nAdd these lines to docfuse.toml, or repeat the command with --write:\n',
    );
    write(toml.trimEnd());
  }
}

const HEADER: Row = ['now', 'fitted', ...DIFFERENCE_HEADER];

function printCalibration(
  { before, after, held_out, errors, supported }: Tuning['calibration'],
  table: (rows: readonly Row[]) => string,
  print: (line: string) => void,
): void {
  print('\nConfidence of the best hit');
  print(
    table([
      ['', ...HEADER],
      heldOutRow('Brier score, lower is better', held_out),
      ['calibration error', errors.before.toFixed(4), errors.after.toFixed(4)],
      ['threshold', before.threshold.toFixed(3), after?.threshold.toFixed(3) ?? '–'],
      ['steepness', before.steepness.toFixed(2), after?.steepness.toFixed(2) ?? '–'],
    ]),
  );
  if (after === undefined) print('No curve can be fitted to these queries.');
  else print(supported ? 'An improvement.' : 'No statistically significant improvement.');
}

function weightRows({ before, after }: Tuning['fusion']): readonly Row[] {
  const names = Object.keys(before) as (keyof typeof before)[];
  return names.map((name) => [name, String(before[name]), String(after[name])]);
}

function heldOutRow(name: string, held: HeldOut): Row {
  const cells = differenceCells({ ...held, pValue: held.p_value });
  return [oneLine(name), held.before.toFixed(4), held.after.toFixed(4), ...cells];
}
