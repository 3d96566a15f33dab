/** Does the sums of an explanation over again, as a person with a pencil would: one table of rules, by label. */
import type { Explanation } from '../../src/core/model/hit.ts';
import { LANES } from '../../src/core/model/ranking-constants.ts';

type Rule = (part: (label: string) => number, node: Explanation) => number;

/** The weights of fusion that an answer names, by lane. */
export type WeightsInForce = Readonly<Record<string, number>>;

const clamp = (value: number) => Math.min(1, Math.max(0, value));
const product: Rule = (_, { parts = [] }) => parts.reduce((all, { value }) => all * value, 1);
const sum: Rule = (_, { parts = [] }) =>
  parts.reduce((all, { value, weight = 1 }) => all + value * weight, 0);
const count: Rule = (_, { parts = [] }) => parts.length;
const greatest: Rule = (_, { parts = [] }) => Math.max(...parts.map(({ value }) => value));
const smallest: Rule = (_, { parts = [] }) => Math.min(...parts.map(({ value }) => value));
/** A number that stands for itself; its parts say where it comes from. */
const itself: Rule = (_, { value }) => value;

/** How a value comes of its parts. A new stage adds a line; what no line and no shape below knows is an error. */
const RULES: Readonly<Record<string, Rule>> = {
  score: (_, { parts = [] }) => parts[0]?.value ?? Number.NaN,
  confidence: smallest,
  'confidence after MMR': smallest,
  // The place keeps its confidence and the passages change; see `checkPlaces`.
  'confidence of the new rank': itself,
  'fused + likeness': (part) =>
    (part('fused') + part('weight of likeness') * part('likeness to the best')) /
    (1 + part('weight of likeness')),
  'weight of likeness': (part) =>
    part('weight by settings') *
    Math.max(0, 1 - part('share of linked candidates') / part('share at which the weight is 0')),
  'reranked by': sum,
  MMR: sum,
  weights: sum,
  'fused × recency': product,
  'fused × community': product,
  fused: sum,
  votes: sum,
  'absolute score': (part, node) =>
    node.parts?.some(({ label }) => label === 'votes') ? product(part, node) : sum(part, node),
  'sigmoid of the absolute score': (part) =>
    1 / (1 + Math.exp(-part('steepness') * (part('absolute score') - part('threshold')))),
  'sigmoid of the logit': (part) =>
    1 / (1 + Math.exp(-part('steepness') * (part('logit') - part('threshold')))),
  logit: sum,
  'ln(1 + ∛terms of the query · share of BM25)': (part) =>
    Math.log(1 + Math.cbrt(part('terms of the query')) * part('BM25 as a share of its upper bound')),
  recency: (part) => {
    const tier =
      TIERS.find(({ days }) => part('age in days') >= -1 && part('age in days') <= days)?.factor ?? 1;
    return 1 + (tier - 1) * (part('recency bias') / 0.5);
  },
  'duplicates merged, by same text': count,
  'duplicates merged, by shared trigrams': count,
  'duplicates merged, by cosine': count,
  'passages of the same section': count,
  'tf′': sum,
  'share of the name or heading in the query': (part) =>
    clamp(part('idf of its words in the query') / part('idf of all its words')),
  'fused, for an exact match': sum,
  'confidence of an exact match': greatest,
  'confidence of a rare word': greatest,
  idf: (part) => Math.log(1 + (part('N') - part('n') + 0.5) / (part('n') + 0.5)),
  cosine: itself,
};

/** Labels of the steps whose sums are done over again. */
export const KNOWN_LABELS: readonly string[] = Object.keys(RULES);
const TIERS = [
  { days: 7, factor: 1.2 },
  { days: 30, factor: 1.1 },
];

/** Numbers that have no parts. */
const LEAVES: ReadonlySet<string> = new Set(
  `ceiling | ceiling: the hit above | threshold | steepness | absolute score | fused | community | age in days |
  recency bias | relevance by the cross-encoder | own confidence | rank before reranking |
  confidence before MMR | fused, as a share of the best | greatest similarity to the hits above |
  rescaling to two rankings | k | rank | cosine | median of all passages |
  cosine to the mean of the best | best passages in the mean | cosine to the query |
  share of the query’s idf matched | BM25 as a share of its upper bound | terms of the query |
  ln(1 + passages of the index) | intercept | best of this query | idf of its words in the query |
  idf of all its words | share of the query’s idf | share of near word pairs, by idf |
  mean cosine of the two best passages | at least | minimum span |
  likely right, by its lead over the documents below | share of linked candidates |
  share at which the weight is 0 | cosine of unrelated texts | span | BM25 | upper bound |
  count in the query | weight of an added word | weight of a correction | N | n | k1 | tf | length |
  average length | b | votes of that document | weight of the link | links of that document |
  links of this document | weight by settings | factor for words found |
  factor for the variance of scores | to keep the sum of the weights | factual query |
  navigational query | exploratory query`.split(/\s*\|\s*/),
);
const LEAF_SHAPES = [/^\S+ read as \S+$/, /^with the word \S+$/, /^other links \(\d+\)$/, /^the query is /];
/** Their parts are chunks, named by id, each with its own number. */
const LISTS = /^(duplicates merged, by |passages of the same section$)/;

/**
 * What is wrong with an explanation and its parts; nothing when every value follows from its parts, every label is known,
 * and what is told twice is told alike.
 */
export function checkExplanation(node: Explanation, weights: WeightsInForce, path = ''): string[] {
  const here = `${path}/${node.label}`;
  const parts = node.parts ?? [];
  const list = LISTS.test(node.label);
  const wrong = list ? [] : parts.flatMap((part) => checkExplanation(part, weights, here));
  if (parts.length === 0) return [...wrong, ...checkLeaf(node, here)];
  const rule = RULES[node.label] ?? shapeRule(node);
  if (!rule) return [...wrong, `${here} is not known`];
  const expected = rule(partOf(parts), node);
  if (!(Math.abs(expected - node.value) < 1e-9)) {
    wrong.push(`${here} is ${node.value}, its parts make ${expected}`);
  }
  if (path === '') wrong.push(...checkChain(parts), ...checkWeights(parts, weights));
  return wrong;
}

function checkLeaf({ label, value }: Explanation, here: string): string[] {
  if (LEAVES.has(label) || LEAF_SHAPES.some((shape) => shape.test(label))) return [];
  // A ranking by words in which no word matched.
  return value === 0 && (LANES as readonly string[]).includes(label) ? [] : [`${here} is not known`];
}

/** Each stage starts from the number that the stage before left. */
function checkChain(parts: readonly Explanation[]): string[] {
  const find = (label: string) => parts.find((part) => part.label === label);
  const inside = (outer: string, inner: string) =>
    find(outer)?.parts?.find(({ label }) => label === inner)?.value;
  const orders = [
    'fused, for an exact match',
    'fused × recency',
    'fused × community',
    'fused + likeness',
    'fused',
  ].flatMap((label) => find(label) ?? []);
  const pairs: [string, number | undefined, number | undefined][] = [
    ...orders
      .slice(1)
      .map((order, index): [string, number | undefined, number | undefined] => [
        `fused in ${orders[index]!.label}`,
        orders[index]!.parts?.find(({ label }) => label === 'fused')?.value,
        order.value,
      ]),
    [
      'confidence before MMR',
      inside('confidence after MMR', 'confidence before MMR'),
      find('confidence')?.value,
    ],
    [
      'absolute score',
      find('confidence')?.parts?.[0]?.parts?.find(({ label }) => label === 'absolute score')?.value,
      find('absolute score')?.value,
    ],
  ];
  return pairs.flatMap(([what, told, made]) =>
    told === undefined || told === made ? [] : [`${what} is told as ${told}, but was ${made}`],
  );
}

/** The weights of the sum, and those told apart, are in proportion those in force; those of the weighted sum are shares. */
function checkWeights(parts: readonly Explanation[], inForce: WeightsInForce): string[] {
  const shares = new Map(Object.entries(inForce));
  const total = Object.values(inForce).reduce((all, weight) => all + weight, 0);
  const shareOf = (lane: string) => (shares.get(lane) ?? 0) / total;
  const lanes = parts.find(({ label }) => label === 'fused')?.parts ?? [];
  const summed = lanes.map(({ label, weight = Number.NaN }) => [label, weight] as const);
  const told = (parts.find(({ label }) => label === 'weights')?.parts ?? []).map(
    ({ label, value }) => [label, value] as const,
  );
  const byRank = lanes.some((lane) => lane.parts?.some(({ label }) => label === 'rank'));
  return [summed, told].flatMap((list) => {
    const isShare = list === summed && !byRank;
    const [given, due] = list.reduce(
      ([weights, all], [lane, weight]) => [weights + weight, all + shareOf(lane)],
      [0, 0],
    );
    const scale = isShare ? 1 : given / due;
    return list.flatMap(([lane, weight]) =>
      Math.abs(weight - scale * shareOf(lane)) < 1e-9
        ? []
        : [`${lane} weighs ${weight}, in force is ${scale * shareOf(lane)}`],
    );
  });
}

/** Over all hits of a reranked answer: the confidences of the places are those the passages brought. */
export function checkPlaces(explanations: readonly Explanation[]): string[] {
  const won = explanations.flatMap(({ parts = [] }) =>
    parts.filter(({ label }) => label === 'confidence of the new rank'),
  );
  const own = won.map(
    ({ parts = [] }) => parts[0]?.parts?.find(({ label }) => label === 'own confidence')?.value,
  );
  const ladder = own.toSorted((a = 0, b = 0) => b - a);
  return won.flatMap(({ value }, place) =>
    value === ladder[place] ? [] : [`place ${place + 1} has ${value}, the ladder ${ladder[place]}`],
  );
}

function partOf(parts: readonly Explanation[]): (label: string) => number {
  return (label) => parts.find((part) => part.label === label)?.value ?? Number.NaN;
}

/** Rules for labels that carry names of lanes, fields or words. */
function shapeRule({ parts = [] }: Explanation): Rule | undefined {
  const has = (label: string) => parts.some((part) => part.label === label);
  const first = parts[0]!.value;
  if (has('median of all passages')) {
    return (part) => {
      const span = Math.max(
        part('best of this query') - part('median of all passages'),
        part('minimum span'),
      );
      return clamp((first - part('median of all passages')) / span);
    };
  }
  if (has('cosine of unrelated texts')) {
    return (part) => clamp((first - part('cosine of unrelated texts')) / part('span'));
  }
  if (has('best of this query')) {
    const share: Rule = has('share of the name or heading in the query')
      ? (part) => part('share of the name or heading in the query')
      : () => 1;
    return (part, node) => ratio(first, part('best of this query')) * share(part, node);
  }
  if (has('upper bound')) return (part) => ratio(first, part('upper bound'));
  if (has('rank')) return (part) => 1 / (part('k') + part('rank'));
  if (has('tf′')) {
    return (part) => {
      const shares = ['weight of an added word', 'weight of a correction'].map((of) =>
        has(of) ? part(of) : 1,
      );
      const count = shares.reduce((all, share) => all * share, part('count in the query'));
      return (count * part('idf') * part('tf′') * (part('k1') + 1)) / (part('tf′') + part('k1'));
    };
  }
  if (has('tf')) {
    return (part) => part('tf') / (1 - part('b') + (part('b') * part('length')) / part('average length'));
  }
  if (has('weight by settings')) return product;
  if (has('votes of that document')) {
    return (part) =>
      (part('votes of that document') * part('weight of the link')) /
      Math.sqrt(part('links of that document') * part('links of this document'));
  }
  // A document's votes from those it is linked with.
  if (parts.every(({ label }) => /^link with |^other links \(\d+\)$/.test(label))) return sum;
  // The sum of a lane's terms.
  return parts.every((part) => part.parts?.some(({ label }) => label === 'tf′')) ? sum : undefined;
}

function ratio(value: number, most: number): number {
  return most > 0 ? clamp(value / most) : 0;
}
