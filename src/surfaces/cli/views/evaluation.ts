/** Prints search quality, and what a fit changes, as tables. Columns are aligned by the width of their cells on a terminal. */
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
import { cellsOf } from '../text-width.ts';
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

type Row = readonly string[];
type Tuning = Answer<'tune'>;

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

function heldOutRow(name: string, held: Tuning['fusion']['held_out']): Row {
  const cells = differenceCells({ ...held, pValue: held.p_value });
  return [oneLine(name), held.before.toFixed(4), held.after.toFixed(4), ...cells];
}

/**
 * Aligns the first column to the left and the others to the right. If the table is wider than `width`, each row becomes a block:
 * its first cell, and below it one line for each other cell, with the name of its column.
 * @param rows the first row contains the names of the columns
 * @param width max width in columns of the terminal. @default unlimited
 */
function align(rows: readonly Row[], width = Number.POSITIVE_INFINITY): string {
  const lines = alignColumns(rows);
  return lines.every((line) => cellsOf(line) <= width) ? lines.join('\n') : inBlocks(rows);
}

function alignColumns(rows: readonly Row[]): readonly string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => cellsOf(row[column] ?? ''))),
  );
  const line = (row: Row): string =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat(widths[column]! - cellsOf(cell));
        return column === 0 ? cell + padding : padding + cell;
      })
      .join('  ');
  return rows.map(line);
}

/** Writes each row as a block. If the first cell is indented, the row belongs to the row above it: the block is indented, too. */
function inBlocks([[title = '', ...columns] = [], ...rows]: readonly Row[]): string {
  const blocks = rows.flatMap(([name = '', ...cells]) => {
    const margin = ' '.repeat(name.length - name.trimStart().length + 2);
    const named = alignColumns(cells.map((cell, place) => [columns[place] ?? '', cell]));
    return [name, ...named.map((line) => margin + line)];
  });
  return [...(title ? [title] : []), ...blocks].join('\n');
}
