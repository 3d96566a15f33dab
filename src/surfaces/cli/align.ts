/** Writes tables as text. Columns are aligned by the width of their cells on a terminal. */
import { cellsOf } from './text-width.ts';

export type Row = readonly string[];

/**
 * Aligns the first column to the left and the others to the right. If the table is wider than `width`, each row becomes a block:
 * its first cell, and below it one line for each other cell, with the name of its column.
 * @param rows the first row contains the names of the columns
 * @param width max width in columns of the terminal. @default unlimited
 */
export function align(rows: readonly Row[], width = Number.POSITIVE_INFINITY): string {
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
