/** Tables as text: cells in columns, by the width they take on a terminal. */
import stringWidth from 'string-width';

export type Row = readonly string[];

/** First column to the left, numbers to the right. */
export function align(rows: readonly Row[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const line = (row: Row): string =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat(widths[column]! - stringWidth(cell));
        return column === 0 ? cell + padding : padding + cell;
      })
      .join('  ');
  return rows.map(line).join('\n');
}
