/** Figures as tables of Markdown. */
import type { PairedDifference } from '../src/core/evaluate/compare.ts';

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

/** The same in bold where the paired randomisation test finds p < 0.05. */
export function testedPoints({
  difference,
  pValue,
}: Pick<PairedDifference, 'difference' | 'pValue'>): string {
  return pValue < 0.05 ? `**${points(difference)}**` : points(difference);
}
