/** Turns a fit of confidence into the file of coefficients and into the parts of the pages that state it. */
import {
  type ConfidenceModel,
  modelLogit,
  type WeighedFeature,
  wordsFound,
} from '../src/core/rank/confidence-model.ts';
import type { Figures } from './calibration-figures.ts';
import type { RowName } from './fit-rows.ts';
import { markdownTable } from './markdown-table.ts';

export interface SetFigures {
  /** `whole`, the number of documents it was cut down to, or `checked` for one that is in no fit. */
  readonly group: string;
  readonly set: string;
  /** Under a fit without the set. */
  readonly evidence: Figures;
  readonly sigmoid: Figures;
}

export interface FittedRow extends ConfidenceModel {
  readonly perSet: readonly SetFigures[];
  readonly threshold: {
    /** Found with all sets, each judged by a fit without it. */
    readonly all: number;
    /** Found without the set, and what it then keeps and refuses of it. */
    readonly leftOut: readonly {
      readonly set: string;
      readonly chosen: number;
      readonly kept: number;
      readonly refused: number;
    }[];
  };
}

/** What `bench/fit-calibration.ts` keeps in `bench/results`. */
export interface CalibrationRecord {
  /** ISO 8601. */
  readonly date: string;
  readonly sets: readonly string[];
  readonly limit: number;
  /** `min_confidence` when the figures were made. */
  readonly threshold: number;
  readonly foreign: number;
  readonly rows: Readonly<Record<RowName, FittedRow>>;
}

/** Further digits are not in the data. */
const DIGITS = 2;

/** As shipped. */
export function roundModel({ intercept, weights }: ConfidenceModel): ConfidenceModel {
  const round = (value: number) => Number(value.toFixed(DIGITS));
  const entries = Object.entries(weights).map(([name, weight]) => [name, round(weight)]);
  return { intercept: round(intercept), weights: Object.fromEntries(entries) };
}

/** The text of `src/core/rank/confidence-coefficients.ts`. */
export function modelSource({ date, sets, limit, foreign, rows }: CalibrationRecord): string {
  const figures = (Object.entries(rows) as [RowName, FittedRow][]).map(([name, { perSet }]) => {
    const whole = perSet.filter(({ group }) => group === 'whole').map(({ evidence }) => evidence);
    const told = FIGURES.slice(0, 3).map(({ key, title }) => `${title} ${meanAndWorst(whole, key)}`);
    return ` * ${name}: ${told.join('; ')}; calibration error ${meanAndWorst(whole, 'error')}.`;
  });
  const models = (Object.entries(rows) as [RowName, FittedRow][]).map(([name, row]) => {
    const { intercept, weights } = roundModel(row);
    const pairs = Object.entries(weights).map(([key, weight]) => `${key}: ${weight}`);
    return `  ${name}: { intercept: ${intercept}, weights: { ${pairs.join(', ')} } },`;
  });
  return `/**
 * The coefficients of confidence, written by \`node bench/fit-calibration.ts\`: do not edit.
 *
 * Date: ${date.slice(0, 10)}. Sets: ${sets.join(', ')}.
 * Each set is used whole, and again cut down to 64 and to 8 documents. A set is searched with up to ${limit} of its own queries, and
 * with two kinds of queries that it does not answer: its own queries after removal of their relevant documents (“answers
 * removed”), and queries of sets about another subject, ${foreign} of each (“foreign queries”).
 * Each figure is the mean of the whole sets, then the worst of them in brackets. A set is judged by coefficients fitted to the
 * other sets. AUC is the area under the ROC curve. The coefficients \`both\` are for cosine and words, \`words\` for words
 * alone, \`meaning\` for the cosine alone.
${figures.join('\n')}
 */
export const COEFFICIENTS = {
${models.join('\n')}
} as const;
`;
}

const FIGURES: readonly { readonly key: keyof Figures; readonly title: string }[] = [
  { key: 'foreignArea', title: 'AUC with foreign queries' },
  { key: 'removedArea', title: 'AUC with answers removed' },
  { key: 'relevantArea', title: 'AUC of relevant best hits' },
  { key: 'ownRelevantArea', title: 'the same, own queries alone' },
  { key: 'kept', title: 'kept' },
  { key: 'refused', title: 'foreign refused' },
  { key: 'removedRefused', title: 'removed refused' },
  { key: 'error', title: 'calibration error' },
  { key: 'ownError', title: 'the same, own queries alone' },
];

const COLUMNS: readonly WeighedFeature[] = ['cosine', 'words', 'passages'];

const WHEN: Readonly<Record<RowName, string>> = {
  both: 'hybrid search, with a vector',
  words: '`--mode keyword`, or no vector yet',
  meaning: '`--mode semantic`',
};

const MODES: Readonly<Record<RowName, string>> = {
  both: 'hybrid',
  words: 'by words alone',
  meaning: 'by meaning alone',
};

/** Texts by the page and the name of the part they fill. */
export function pageParts({
  sets,
  rows,
  threshold,
}: CalibrationRecord): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const entries = Object.entries(rows) as [RowName, FittedRow][];
  const scores = {
    example: exampleOf(roundModel(rows.both)),
    model: markdownTable([
      ['row', 'when', ...COLUMNS, 'intercept'],
      ...entries.map(([name, row]) => {
        const { intercept, weights } = roundModel(row);
        const cells = COLUMNS.map((key) => (weights[key] === undefined ? '' : minus(String(weights[key]))));
        return [name, WHEN[name], ...cells, minus(String(intercept))];
      }),
    ]),
  };
  const figures = [
    ...entries.map(([name, row]) => figuresTable(MODES[name], row, sets.length)),
    checkedTable(rows),
    ...entries.map(([name, row]) => thresholdLine(MODES[name], row, threshold)),
  ].join('\n\n');
  return { 'docs/explain/scores.md': scores, 'bench/results/calibration.md': { figures } };
}

/** @throws Error where a part has no place in the page */
export function fillPage(page: string, parts: Readonly<Record<string, string>>): string {
  let filled = page;
  for (const [name, text] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`The page has no part ${name}.`);
    filled = `${filled.slice(0, from + begin.length)}\n${text}\n${filled.slice(to)}`;
  }
  return filled;
}

/** Five terms, half of what BM25 could reach, in a thousand passages. */
function exampleOf(model: ConfidenceModel): string {
  const observed = { cosine: 0.75, words: wordsFound(0.5, 5), passages: Math.log(1001) };
  const term = (name: WeighedFeature, what: string) => {
    const weight = model.weights[name] ?? 0;
    return `${weight < 0 ? '−' : '+'} ${Math.abs(weight).toFixed(2)} × ${observed[name].toFixed(2)} (${what})`;
  };
  const logit = modelLogit(model, observed);
  return `\`\`\`text
logit       ${minus(model.intercept.toFixed(2))} ${term('cosine', 'cosine')} ${term('words', 'half of BM25, five terms')}
            ${term('passages', 'a thousand passages')} = ${minus(logit.toFixed(2))}
confidence  1 / (1 + e^${minus((-logit).toFixed(2))}) = ${(1 / (1 + Math.exp(-logit))).toFixed(2)}
\`\`\``;
}

function figuresTable(mode: string, { perSet }: FittedRow, count: number): string {
  const groups = ['whole', '64', '8'];
  const of = (group: string) => perSet.filter((one) => one.group === group);
  return markdownTable([
    [
      `mean (worst) of ${count} sets, ${mode}`,
      ...groups.flatMap((group) => {
        const name = group === 'whole' ? 'whole' : `${group} documents`;
        return [`${name}: confidence model`, 'sigmoid'];
      }),
    ],
    ...FIGURES.map(({ key, title }) => [
      title,
      ...groups.flatMap((group) => [
        meanAndWorst(
          of(group).map(({ evidence }) => evidence),
          key,
        ),
        meanAndWorst(
          of(group).map(({ sigmoid }) => sigmoid),
          key,
        ),
      ]),
    ]),
  ]);
}

/** The confidence model, then the sigmoid. */
function checkedTable(rows: CalibrationRecord['rows']): string {
  const lines = (Object.entries(rows) as [RowName, FittedRow][]).flatMap(([name, { perSet }]) =>
    perSet
      .filter(({ group }) => group === 'checked')
      .map(({ set, evidence, sigmoid }) => {
        const pair = (key: keyof Figures) => `${decimal(evidence[key])}, ${decimal(sigmoid[key])}`;
        const keys = ['foreignArea', 'removedArea', 'kept', 'refused', 'error', 'ownError'] as const;
        return [set, MODES[name], ...keys.map(pair)];
      }),
  );
  return markdownTable([
    [
      'in no fit: confidence model, sigmoid',
      'mode',
      'area, foreign',
      'area, removed',
      'kept',
      'foreign refused',
      'error',
      'error, own',
    ],
    ...lines,
  ]);
}

function thresholdLine(mode: string, { threshold: { all, leftOut } }: FittedRow, inForce: number): string {
  const mean = (key: 'kept' | 'refused') =>
    decimal(leftOut.reduce((sum, one) => sum + one[key], 0) / leftOut.length);
  const chosen = leftOut.map((one) => decimal(one.chosen, 2)).sort();
  return `Threshold, ${mode}: the rule gives ${decimal(all, 2)} (in force: ${decimal(inForce, 2)}). Chosen without each set in turn it is ${chosen[0]} to ${chosen.at(-1)}, keeps ${mean('kept')} of that set and refuses ${mean('refused')}.`;
}

function meanAndWorst(all: readonly Figures[], key: keyof Figures): string {
  const known = all.flatMap((figures) => figures[key] ?? []);
  if (known.length === 0) return '–';
  const isError = key === 'error' || key === 'ownError';
  const worst = isError ? Math.max(...known) : Math.min(...known);
  return `${decimal(known.reduce((sum, value) => sum + value, 0) / known.length)} (${decimal(worst)})`;
}

/** `.981`, and `1` for one. */
function decimal(value: number | undefined, digits = 3): string {
  if (value === undefined) return '–';
  return value
    .toFixed(digits)
    .replace(/^0\./, '.')
    .replace(/^1\.0+$/, '1');
}

function minus(text: string): string {
  return text.replace('-', '−');
}
