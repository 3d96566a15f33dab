/** Tables as text: cells in columns, by the width they take on a terminal. */
import { cellsOf } from './cells.ts';

export type Row = readonly string[];

/** First column to the left, numbers to the right. */
export function align(rows: readonly Row[]): string {
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
  return rows.map(line).join('\n');
}
