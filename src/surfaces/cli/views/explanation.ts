/** The explanation of a score as an indented tree. */
import type { Explanation } from '../../../core/model/hit.ts';
import { oneLine } from '../../../core/text/one-line.ts';

type Node = Omit<Explanation, 'parts' | 'weight'> & {
  readonly weight?: number | undefined;
  readonly parts?: readonly Node[] | undefined;
};

/** One line for each number, parts indented under what they make: `0.87  fused (weight 1)`. */
export function explain(node: Node, depth = 0): string[] {
  const weight = node.weight === undefined ? '' : ` × ${round(node.weight)}`;
  const line = `${'  '.repeat(depth)}${round(node.value)}${weight}  ${oneLine(node.label)}`;
  return [line, ...(node.parts ?? []).flatMap((part) => explain(part, depth + 1))];
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
