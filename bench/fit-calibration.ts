/** Fits calibration by evidence on judged sets: queries with an answer, of other subjects, and with their answers removed. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { calibrationError, type Outcome, rocArea } from '../src/core/evaluate/calibration.ts';
import type { Explanation, Hit } from '../src/core/model/hit.ts';
import { sigmoid } from '../src/core/rank/calibrate.ts';
import { fitLogistic, type LogisticFit } from '../src/core/tune/fit-logistic.ts';
import type { Index } from '../src/engine/api.ts';
import { type JudgedSet, readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { open } from '../src/engine/open.ts';
import { record } from './record.ts';

const USAGE = `usage: node bench/fit-calibration.ts <folder of judged sets> <set…>
  --indexes folder  where the index of each set is, or is made: <folder>/<set>
  --limit n         at most n queries of a set
  --out file        default bench/results/fit-calibration-<date>.json`;

/** Which observations each row of the model has, and the mode it is fitted in. */
const ROWS = {
  both: {
    mode: 'hybrid',
    labels: ['cosine to the query', 'share of the query’s idf matched', 'ln(1 + terms of the query)'],
  },
  words: {
    mode: 'keyword',
    labels: [
      'share of the query’s idf matched',
      'BM25 as a share of its bound',
      'ln(1 + terms of the query)',
    ],
  },
  meaning: { mode: 'semantic', labels: ['cosine to the query'] },
} as const;

/** The curve of `sigmoid` under the convex fusion, for comparison. */
const SIGMOID = { threshold: 0.336, steepness: 7.5 };
/** Queries taken from each set of another subject. */
const FOREIGN = 40;
/** What each kind of query counts in the fit. Removed answers count little: other passages of the subject often answer, too. */
const KIND_WEIGHT = { own: 1, foreign: 1, removed: 0.1 } as const;
type Kind = keyof typeof KIND_WEIGHT;
/** What the best hit of a query with an answer counts as when nobody judged it: judgements are sparse. */
const UNJUDGED = 0.8;
/** The default of `min_confidence`. */
const THRESHOLD = 0.3;

interface Sample {
  readonly set: string;
  readonly kind: Kind;
  readonly relevant: boolean;
  readonly values: readonly number[];
  /** Confidence by the sigmoid. */
  readonly before: number;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { indexes: { type: 'string' }, limit: { type: 'string' }, out: { type: 'string' } },
});
const [root, ...names] = positionals;
if (root === undefined || names.length < 3) throw new Error(USAGE);
const sets = await Promise.all(names.map((name) => readJudgedSet(join(root, name))));

const samples: Record<keyof typeof ROWS, Sample[]> = { both: [], words: [], meaning: [] };
for (const set of sets) {
  await using index = await openSet(set);
  await index.sync();
  for (const row of Object.keys(ROWS) as (keyof typeof ROWS)[])
    samples[row].push(...(await observe(set, index, row)));
  console.error(set.name);
}

const fitted: Record<string, object> = {};
for (const row of Object.keys(ROWS) as (keyof typeof ROWS)[]) {
  const { labels } = ROWS[row];
  const fit = fitOn(samples[row]);
  const perSet = sets.map(({ name }) => {
    const own = samples[row].filter(({ set }) => set === name);
    const left = fitOn(samples[row].filter(({ set }) => set !== name));
    return {
      set: name,
      evidence: figures(own.map((sample) => ({ ...sample, confidence: probability(left, sample.values) }))),
      sigmoid: figures(own.map((sample) => ({ ...sample, confidence: sample.before }))),
    };
  });
  fitted[row] = {
    intercept: fit.intercept,
    weights: Object.fromEntries(labels.map((label, i) => [label, fit.weights[i]])),
    perSet,
  };
  console.log(row, JSON.stringify(fit));
  for (const way of ['evidence', 'sigmoid'] as const) {
    console.log(
      `  ${way}: ${Object.keys(perSet[0]![way])
        .map((name) =>
          summary(
            name,
            perSet.map((one) => one[way][name as keyof Figures]),
          ),
        )
        .join('  ')}`,
    );
  }
}
console.log(
  `written to ${await record('fit-calibration', { sets: names, limit: flags.limit ?? 'none', foreign: FOREIGN, kindWeight: KIND_WEIGHT, unjudged: UNJUDGED, rows: fitted }, flags.out)}`,
);

async function openSet(set: JudgedSet): Promise<Index> {
  const { kind, path } = set.documents;
  const where = flags.indexes === undefined ? {} : { indexPath: join(flags.indexes, set.name) };
  const settings = { search: { calibration: 'evidence' as const } };
  return open({
    settings,
    ...(kind === 'corpus' ? { roots: [], corpora: [path] } : { roots: [path] }),
    ...where,
  });
}

async function observe(set: JudgedSet, index: Index, row: keyof typeof ROWS): Promise<Sample[]> {
  const most = flags.limit === undefined ? set.queries.length : Number(flags.limit);
  const found: Sample[] = [];
  const ask = async (kind: Kind, text: string, judgements: ReadonlyMap<string, number>) => {
    const relevant = [...judgements].filter(([, grade]) => grade > 0).map(([document]) => document);
    const { hits } = await index.search(text, {
      mode: ROWS[row].mode,
      topN: 1,
      minConfidence: 0,
      explain: true,
      parents: false,
      ...(kind === 'removed' && { filters: { exclude: relevant } }),
    });
    const sample = hits[0] && toSample(set.name, kind, hits[0], row, relevant);
    if (sample) found.push(sample);
  };
  for (const { text, judgements } of set.queries.slice(0, most)) {
    await ask('own', text, judgements);
    await ask('removed', text, judgements);
  }
  for (const other of sets.filter(({ name }) => subject(name) !== subject(set.name))) {
    const step = Math.max(1, Math.floor(other.queries.length / FOREIGN));
    const asked = other.queries.filter((_, place) => place % step === 0).slice(0, Math.min(FOREIGN, most));
    for (const { text } of asked) await ask('foreign', text, new Map());
  }
  return found;
}

/** `anthropic-docs` and `anthropic-code` treat one subject. */
function subject(name: string): string {
  return name.split('-')[0]!;
}

function toSample(
  set: string,
  kind: Kind,
  { path, explanation }: Hit,
  row: keyof typeof ROWS,
  relevant: readonly string[],
): Sample | undefined {
  const values = ROWS[row].labels.map((label) => find(explanation, label)?.value);
  const evidence = find(explanation, 'evidence')?.value ?? 0;
  if (values.some((value) => value === undefined)) return undefined;
  return {
    set,
    kind,
    relevant: kind === 'own' && relevant.includes(path),
    values: values as number[],
    before: sigmoid(evidence, SIGMOID),
  };
}

function find(node: Explanation | undefined, label: string): Explanation | undefined {
  if (node === undefined || node.label === label) return node;
  for (const part of node.parts ?? []) {
    const found = find(part, label);
    if (found) return found;
  }
  return undefined;
}

/** Every set counts the same, and every kind of query in it what `KIND_WEIGHT` says. */
function fitOn(all: readonly Sample[]): LogisticFit {
  const sizes = Map.groupBy(all, ({ set, kind }) => `${set} ${kind}`);
  return fitLogistic(
    all.map(({ set, kind, relevant, values }) => ({
      values,
      label: kind === 'own' ? UNJUDGED + (1 - UNJUDGED) * Number(relevant) : 0,
      weight: (100 * KIND_WEIGHT[kind]) / sizes.get(`${set} ${kind}`)!.length,
    })),
  );
}

function probability({ intercept, weights }: LogisticFit, values: readonly number[]): number {
  return 1 / (1 + Math.exp(-weights.reduce((sum, weight, i) => sum + weight * values[i]!, intercept)));
}

interface Figures {
  /** Area under the curve: own queries against foreign ones. */
  readonly foreignArea: number | undefined;
  /** Own queries against the same with their answers removed. */
  readonly removedArea: number | undefined;
  /** Relevant best hits against all others, foreign queries' among them. */
  readonly relevantArea: number | undefined;
  /** Share of own queries whose best hit passes the default threshold. */
  readonly kept: number;
  /** Share of foreign queries that get no hit. */
  readonly refused: number;
  /** Share of queries with removed answers that get no hit. */
  readonly removedRefused: number;
  /** Expected calibration error over own and foreign queries. */
  readonly error: number;
}

function figures(all: readonly (Sample & { readonly confidence: number })[]): Figures {
  const of = (...kinds: Kind[]) => all.filter(({ kind }) => kinds.includes(kind));
  const area = (kinds: Kind[], correct: (sample: Sample) => boolean) =>
    rocArea(of(...kinds).map((one): Outcome => ({ confidence: one.confidence, correct: correct(one) })));
  const below = (kind: Kind) =>
    of(kind).filter(({ confidence }) => confidence < THRESHOLD).length / of(kind).length;
  return {
    foreignArea: area(['own', 'foreign'], ({ kind }) => kind === 'own'),
    removedArea: area(['own', 'removed'], ({ kind }) => kind === 'own'),
    relevantArea: area(['own', 'foreign'], ({ relevant }) => relevant),
    kept: 1 - below('own'),
    refused: below('foreign'),
    removedRefused: below('removed'),
    error: calibrationError(
      of('own', 'foreign').map(({ confidence, relevant }) => ({ confidence, correct: relevant })),
    ),
  };
}

function summary(name: string, values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const worst = name === 'error' ? Math.max(...known) : Math.min(...known);
  return `${name} ${mean.toFixed(3)} (worst ${worst.toFixed(3)})`;
}
