/** Figures as tables of Markdown. */

/** Its lines, without a line feed at the end. */
export function markdownTable([header = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A difference of measures between 0 and 1 in points: `+1.25`, `−0.40`, `0`. */
export function points(difference: number): string {
  const value = (100 * difference).toFixed(2);
  return Number(value) === 0 ? '0' : `${Number(value) > 0 ? '+' : '−'}${value.replace('-', '')}`;
}
