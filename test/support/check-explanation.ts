/** Does the sums of an explanation over again, as a person with a pencil would: one table of rules, by label. */
import type { Explanation } from '../../src/core/model/hit.ts';

type Rule = (part: (label: string) => number, node: Explanation) => number | undefined;

const clamp = (value: number) => Math.min(1, Math.max(0, value));
const product: Rule = (_, { parts = [] }) => parts.reduce((result, { value }) => result * value, 1);
const sum: Rule = (_, { parts = [] }) =>
  parts.reduce((result, { value, weight = 1 }) => result + value * weight, 0);

/** How a value comes of its parts. A new stage adds a line; labels not listed are numbers that stand for themselves. */
const RULES: Readonly<Record<string, Rule>> = {
  fused: sum,
  evidence: sum,
  'reranked by': sum,
  weights: sum,
  'fused × recency': product,
  'fused × community': product,
  confidence: (part) => Math.min(part('sigmoid of the evidence'), part('ceiling: the hit above')),
  'sigmoid of the evidence': (part) =>
    1 / (1 + Math.exp(-part('steepness') * (part('evidence') - part('threshold')))),
  'tf′': sum,
  idf: (part) => Math.log(1 + (part('N') - part('n') + 0.5) / (part('n') + 0.5)),
};

/** What is wrong with an explanation and its parts; nothing when every value follows from its parts. */
export function checkExplanation(node: Explanation, path = ''): string[] {
  const here = `${path}/${node.label}`;
  const parts = node.parts ?? [];
  const wrong = parts.flatMap((part) => checkExplanation(part, here));
  const expected =
    parts.length > 0 ? (RULES[node.label] ?? shapeRule(node))?.(partOf(parts), node) : undefined;
  if (expected !== undefined && !(Math.abs(expected - node.value) < 1e-9)) {
    wrong.push(`${here} is ${node.value}, its parts make ${expected}`);
  }
  return wrong;
}

function partOf(parts: readonly Explanation[]): (label: string) => number {
  return (label) => parts.find((part) => part.label === label)?.value ?? Number.NaN;
}

/** Rules for labels that carry names of lanes, fields or words. */
function shapeRule({ parts = [] }: Explanation): Rule | undefined {
  const has = (label: string) => parts.some((part) => part.label === label);
  const first = parts[0]!.value;
  if (has('median of all chunks')) {
    return (part) => {
      const span = Math.max(part('best of this query') - part('median of all chunks'), part('least span'));
      return clamp((first - part('median of all chunks')) / span);
    };
  }
  if (has('cosine of unrelated texts')) {
    return (part) => clamp((first - part('cosine of unrelated texts')) / part('span'));
  }
  if (has('best of this query')) return (part) => ratio(first, part('best of this query'));
  if (has('upper bound')) return (part) => ratio(first, part('upper bound'));
  if (has('rank')) return (part) => 1 / (part('k') + part('rank'));
  if (has('tf′')) {
    return (part) => {
      const synonym = has('weight of a synonym') ? part('weight of a synonym') : 1;
      const count = part('count in the query') * synonym;
      return (count * part('idf') * part('tf′') * (part('k1') + 1)) / (part('tf′') + part('k1'));
    };
  }
  if (has('tf')) {
    return (part) => part('tf') / (1 - part('b') + (part('b') * part('length')) / part('average length'));
  }
  if (has('weight set')) return product;
  // The sum of a lane's terms.
  return parts.every((part) => part.parts?.some(({ label }) => label === 'tf′')) ? sum : undefined;
}

function ratio(value: number, most: number): number {
  return most > 0 ? clamp(value / most) : 0;
}
