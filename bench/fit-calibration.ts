/** Fits calibration by evidence on judged sets: queries with an answer, of other subjects, and with their answers removed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Explanation, Hit } from '../src/core/model/hit.ts';
import { sigmoid } from '../src/core/rank/calibrate.ts';
import { curveOf } from '../src/core/search/calibrate-candidates.ts';
import { DEFAULT_SEARCH_SETTINGS } from '../src/core/search/default-settings.ts';
import { fitLogistic, type LogisticFit } from '../src/core/tune/fit-logistic.ts';
import type { Index } from '../src/engine/api.ts';
import { type JudgedSet, readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { open } from '../src/engine/open.ts';
import { type Figures, figures, type Kind, type Sample } from './calibration-figures.ts';
import { cutSet } from './cut-sets.ts';
import { record } from './record.ts';

const USAGE = `usage: node bench/fit-calibration.ts <folder of judged sets> <set…>
  --indexes folder  where the index of each set is, or is made: <folder>/<set>
  --check set[=docs] a judged set that is never fitted to; may be repeated
  --limit n         at most n queries of a set
  --samples file    keep what was observed of every best hit, as JSON
  --from file       fit to samples that were kept, without searching
  --out file        default bench/results/fit-calibration-<date>.json`;

/** Which observations each row of the model has, the mode it is fitted in, and whether cut-down sets take part. */
const ROWS = {
  both: {
    mode: 'hybrid',
    cuts: true,
    labels: [
      'cosine to the query',
      'share of the query’s idf matched',
      'ln(1 + terms of the query)',
      'ln(1 + passages of the index)',
    ],
  },
  words: {
    mode: 'keyword',
    // The size of the collection made it worse where collections are large (docs/decisions/0051-evidence-by-size.md).
    cuts: false,
    labels: [
      'share of the query’s idf matched',
      'BM25 as a share of its bound',
      'ln(1 + terms of the query)',
    ],
  },
  meaning: { mode: 'semantic', cuts: true, labels: ['cosine to the query', 'ln(1 + passages of the index)'] },
} as const;

/** The curve of `sigmoid` under the convex fusion, for comparison. */
const SIGMOID = curveOf({ ...DEFAULT_SEARCH_SETTINGS, fusion: 'convex' });
/** Queries taken from each set of another subject. */
const FOREIGN = 40;
/** The same for a set that is cut down to a few documents. */
const FOREIGN_OF_CUT = 10;
/** What a cut counts in the fit, beside a whole set. */
const CUT_WEIGHT = 0.5;
/** What each kind of query counts in the fit. Removed answers count little: other passages of the subject often answer, too. */
const KIND_WEIGHT: Readonly<Record<Kind, number>> = { own: 1, foreign: 1, removed: 0.1, none: 1 };
/** What the best hit of a query with an answer counts as when nobody judged it: judgements are sparse. */
const UNJUDGED = 0.8;
/** Share of answerable queries that a threshold must keep, in the mean of whole sets. */
const KEPT = 0.95;
const THRESHOLDS = Array.from({ length: 41 }, (_, step) => step / 100);
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    indexes: { type: 'string' },
    check: { type: 'string', multiple: true, default: [] },
    limit: { type: 'string' },
    samples: { type: 'string' },
    from: { type: 'string' },
    out: { type: 'string' },
  },
});
const [root, ...names] = positionals;
if (root === undefined || names.length < 3) throw new Error(USAGE);
const sets = await Promise.all(names.map((name) => readJudgedSet(join(root, name))));

const checked = await Promise.all(
  flags.check.map((given) => {
    const [folder, docs] = given.split('=');
    return readJudgedSet(folder!, docs);
  }),
);
const work = await mkdtemp(join(tmpdir(), 'docfuse-calibration-'));

const samples: Record<keyof typeof ROWS, Sample[]> =
  flags.from === undefined
    ? { both: [], words: [], meaning: [] }
    : JSON.parse(await readFile(flags.from, 'utf8'));
for (const set of flags.from === undefined ? sets : []) {
  await observeSet(set, { set: set.name });
  if (set.documents.kind !== 'corpus') continue;
  for (const { size, cut } of await cutSet(set, work)) await observeSet(cut, { set: set.name, cut: size });
}
for (const set of flags.from === undefined ? checked : [])
  await observeSet(set, { set: set.name, check: true });
await rm(work, { recursive: true });
if (flags.samples !== undefined) await writeFile(resolve(flags.samples), JSON.stringify(samples));

const fitted: Record<string, object> = {};
for (const row of Object.keys(ROWS) as (keyof typeof ROWS)[]) {
  const { labels } = ROWS[row];
  const known = samples[row].filter(({ check, cut }) => !check && (ROWS[row].cuts || cut === undefined));
  const fit = fitOn(known);
  const groups = Map.groupBy(
    samples[row],
    ({ set, cut, check }) => `${check ? 'check' : (cut ?? 'whole')} ${set}`,
  );
  const perSet = [...groups].map(([name, own]) => {
    const left = fitOn(known.filter(({ set }) => set !== own[0]!.set));
    return {
      set: name,
      evidence: figures(own.map((sample) => ({ ...sample, confidence: probability(left, sample.values) }))),
      sigmoid: figures(own.map((sample) => ({ ...sample, confidence: sample.before }))),
    };
  });
  const threshold = { all: chooseThreshold(known), leftOut: names.map((set) => chooseWithout(known, set)) };
  fitted[row] = {
    intercept: fit.intercept,
    weights: Object.fromEntries(labels.map((label, i) => [label, fit.weights[i]])),
    perSet,
    threshold,
  };
  console.log(row, JSON.stringify(fit));
  console.log(
    `  threshold ${threshold.all}; chosen without the set: ${threshold.leftOut.map(({ set, chosen, kept, refused }) => `${set} ${chosen} keeps ${kept.toFixed(3)} refuses ${refused.toFixed(3)}`).join(', ')}`,
  );
  for (const way of ['evidence', 'sigmoid'] as const) {
    for (const [group, members] of Map.groupBy(perSet, ({ set }) => set.split(' ')[0]!)) {
      const told = (Object.keys(members[0]![way]) as (keyof Figures)[]).map((name) =>
        summary(
          name,
          members.map((one) => one[way][name]),
        ),
      );
      console.log(`  ${way}, ${group}: ${told.join('  ')}`);
    }
  }
}
console.log(
  `written to ${await record('fit-calibration', { sets: names, checked: checked.map(({ name }) => name), limit: flags.limit ?? 'none', threshold: DEFAULT_SEARCH_SETTINGS.minConfidence, foreign: FOREIGN, foreignOfCut: FOREIGN_OF_CUT, cutWeight: CUT_WEIGHT, kindWeight: KIND_WEIGHT, unjudged: UNJUDGED, rows: fitted }, flags.out)}`,
);

/** The greatest threshold that keeps enough, when the confidences of each set come from a fit without it. */
function chooseThreshold(known: readonly Sample[]): number {
  const sets = [...new Set(known.map(({ set }) => set))];
  const confidences = sets.map((set) => {
    const fit = fitOn(known.filter((one) => one.set !== set));
    return confidencesOf(fit, known, set, 'own');
  });
  const kept = (threshold: number) =>
    confidences.reduce((sum, own) => sum + shareFrom(threshold, own), 0) / confidences.length;
  return THRESHOLDS.findLast((threshold) => kept(threshold) >= KEPT) ?? 0;
}

/** What a threshold and a fit that never saw the set keep and refuse of it. */
function chooseWithout(known: readonly Sample[], set: string) {
  const others = known.filter((one) => one.set !== set);
  const fit = fitOn(others);
  const chosen = chooseThreshold(others);
  const passing = (kind: Kind) => shareFrom(chosen, confidencesOf(fit, known, set, kind));
  return { set, chosen, kept: passing('own'), refused: 1 - passing('foreign') };
}

function confidencesOf(fit: LogisticFit, all: readonly Sample[], set: string, kind: Kind): readonly number[] {
  const whole = all.filter((one) => one.set === set && one.kind === kind && one.cut === undefined);
  return whole.map(({ values }) => probability(fit, values));
}

function shareFrom(threshold: number, confidences: readonly number[]): number {
  return confidences.filter((confidence) => confidence >= threshold).length / Math.max(1, confidences.length);
}

/** Adds what is observed of the set's queries, by each row of the model. */
async function observeSet(set: JudgedSet, of: Pick<Sample, 'set' | 'cut' | 'check'>): Promise<void> {
  await using index = await openSet(set);
  await index.sync();
  for (const row of Object.keys(ROWS) as (keyof typeof ROWS)[]) {
    for (const sample of await observe(set, index, row, of.cut === undefined ? FOREIGN : FOREIGN_OF_CUT)) {
      samples[row].push({ ...sample, ...of });
    }
  }
  console.error(set.name);
}

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

async function observe(
  set: JudgedSet,
  index: Index,
  row: keyof typeof ROWS,
  foreign: number,
): Promise<Sample[]> {
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
  for (const { text } of set.unanswerable) await ask('none', text, new Map());
  for (const other of sets.filter(({ name }) => subject(name) !== subject(set.name))) {
    const step = Math.max(1, Math.floor(other.queries.length / foreign));
    const asked = other.queries.filter((_, place) => place % step === 0).slice(0, Math.min(foreign, most));
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
  const sizes = Map.groupBy(all, ({ set, cut, kind }) => `${set} ${cut} ${kind}`);
  return fitLogistic(
    all.map(({ set, cut, kind, relevant, values }) => ({
      values,
      label: kind === 'own' ? UNJUDGED + (1 - UNJUDGED) * Number(relevant) : 0,
      weight:
        (100 * KIND_WEIGHT[kind] * (cut === undefined ? 1 : CUT_WEIGHT)) /
        sizes.get(`${set} ${cut} ${kind}`)!.length,
    })),
  );
}

function probability({ intercept, weights }: LogisticFit, values: readonly number[]): number {
  return 1 / (1 + Math.exp(-weights.reduce((sum, weight, i) => sum + weight * values[i]!, intercept)));
}

function summary(name: string, values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return `${name} –`;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const worst = name === 'error' ? Math.max(...known) : Math.min(...known);
  return `${name} ${mean.toFixed(3)} (worst ${worst.toFixed(3)})`;
}
