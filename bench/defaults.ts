/** What other values of a setting are worth: every judged set under each, paired with the defaults, and the choice with each set left out. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { comparePaired, type PairedDifference } from '../src/core/evaluate/compare.ts';
import { measure as measureRanking } from '../src/core/evaluate/metrics.ts';
import { mean } from '../src/core/evaluate/statistics.ts';
import type { SearchMode } from '../src/core/model/query.ts';
import { RANKING, type RankingConstants } from '../src/core/model/ranking-constants.ts';
import type { SettingsOverride } from '../src/engine/api.ts';
import {
  mergeTrees,
  type SettingsTree,
  settingKeys,
  settingValue,
  treeWith,
} from '../src/engine/config/setting-keys.ts';
import { type JudgedQuery, readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { markdownTable, points, testedPoints } from './markdown-table.ts';
import { openInside } from './open-inside.ts';
import { keep } from './record.ts';

const USAGE = `usage: node bench/defaults.ts <set or set=docs…>
  --try name=value,value  a setting, such as search.graph_weight or chunking.max_chars, or a number of the ranking, such as
                          ranking.lanes.title or ranking.words.fields.headers; may be repeated
  --with name=value       a setting or number that goes with every value tried, and not with the defaults; may be repeated
  --indexes folder        indexes made with the defaults, <folder>/<set>; they are copied
  --mode name             default hybrid
  --hits n                hits of each search, default 50; twice as many candidates are the least
  --limit n               at most n queries of a set
  --out file              default bench/results/defaults-<date>.json`;

interface Measured {
  readonly ndcg10: number;
  readonly perQuery: readonly { readonly query: JudgedQuery; readonly ndcg10: number }[];
  readonly passages: number;
  /** Of bringing the index up to date. */
  readonly seconds: number;
}

/** What is tried: settings, and the numbers of the ranking. */
interface Trial {
  readonly settings: SettingsTree;
  readonly constants: RankingConstants;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    try: { type: 'string', multiple: true, default: [] },
    with: { type: 'string', multiple: true, default: [] },
    indexes: { type: 'string' },
    mode: { type: 'string', default: 'hybrid' },
    hits: { type: 'string', default: '50' },
    limit: { type: 'string' },
    out: { type: 'string' },
  },
});
if (positionals.length === 0 || flags.try.length === 0) throw new Error(USAGE);
const sets = positionals.map((given) => {
  const [path, docs] = given.split('=');
  return { name: basename(resolve(path!)), path: resolve(path!), docs };
});
type Set = (typeof sets)[number];
const schemas = settingKeys();
const defaultTrial: Trial = { settings: { search: { max_chunks_per_doc: 1 } }, constants: RANKING };
const given = flags.with
  .map((each) => each.split('='))
  .reduce((all, [name = '', value = '']) => withValue(all, name, value), defaultTrial);
const work = await mkdtemp(join(tmpdir(), 'docfuse-defaults-'));

const defaults = new Map<string, Measured>();
for (const set of sets) {
  await copyIndex(set, set.name);
  defaults.set(set.name, await measure(set, set.name, defaultTrial));
}
const trials = [];
for (const trial of flags.try) {
  const [name = '', list = ''] = trial.split('=');
  const rows = [];
  for (const value of list.split(',')) rows.push(await row(name, value));
  const leftOut = sets.length > 1 ? leaveOneOut(rows) : [];
  trials.push({ setting: name, rows, leftOut });
  console.log([table(name, rows), ...rows.map(tellPooled), ...leftOut.map(tellLeftOut), ''].join('\n'));
}
await rm(work, { recursive: true });
const ndcg10 = Object.fromEntries([...defaults].map(([set, measured]) => [set, measured.ndcg10]));
await keep(
  'defaults',
  { mode: flags.mode, limit: flags.limit ?? 'none', with: flags.with, defaults: ndcg10, trials },
  flags.out,
);

async function row(name: string, value: string) {
  const cells = [];
  const asked = [];
  for (const set of sets) {
    const before = defaults.get(set.name)!;
    const after = await measureValue(set, name, value);
    const pairs = after.perQuery.map(({ query, ndcg10 }, place): Pair => {
      return { query, after: ndcg10, before: before.perQuery[place]!.ndcg10 };
    });
    const { difference, pValue } = compare(pairs);
    const { passages, seconds } = after;
    const changed = Object.fromEntries(pairs.flatMap(changeOf));
    cells.push({ set: set.name, ndcg10: after.ndcg10, difference, pValue, passages, seconds, changed });
    asked.push(...pairs);
    console.error(name, value, set.name, after.ndcg10.toFixed(4), points(difference), passages, seconds);
  }
  return { value, cells, all: compare(asked), types: compareTypes(asked) };
}

interface Pair {
  readonly query: JudgedQuery;
  readonly before: number;
  readonly after: number;
}

function compare(pairs: readonly Pair[]): PairedDifference {
  return comparePaired(
    pairs.map(({ after }) => after),
    pairs.map(({ before }) => before),
  );
}

/** By type of query, where some have one. */
function compareTypes(pairs: readonly Pair[]): Readonly<Record<string, PairedDifference>> {
  const types = Map.groupBy(pairs, ({ query }) => query.type);
  return Object.fromEntries([...types].flatMap(([type, own]) => (type ? [[type, compare(own)]] : [])));
}

function changeOf({ query, before, after }: Pair): readonly [id: string, difference: number][] {
  return after === before ? [] : [[query.id, Number((after - before).toFixed(4))]];
}

async function measureValue(set: Set, name: string, value: string): Promise<Measured> {
  const trial = withValue(given, name, value);
  if (!name.startsWith('chunking.')) return measure(set, set.name, trial);
  // Passages that stay the same keep their vectors, and the index of the defaults must not lose its own.
  await copyIndex(set, 'cut');
  const measured = await measure(set, 'cut', trial);
  await rm(join(work, 'cut'), { recursive: true });
  return measured;
}

function withValue({ settings, constants }: Trial, name: string, value: string): Trial {
  if (name.startsWith('ranking.'))
    return { settings, constants: withNumber(constants, name.slice(8), Number(value)) };
  return { settings: mergeTrees(settings, setting(name, value)), constants };
}

function setting(name: string, value: string): SettingsTree {
  const schema = schemas.get(name);
  if (!schema) throw new Error(`${name} is no setting.\n${USAGE}`);
  return treeWith(name, settingValue(value, schema));
}

function withNumber(constants: RankingConstants, path: string, value: number): RankingConstants {
  const changed = structuredClone(constants);
  const names = path.split('.');
  const last = names.pop()!;
  const table = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], changed);
  if (typeof (table as Record<string, unknown> | undefined)?.[last] !== 'number' || Number.isNaN(value))
    throw new Error(`ranking.${path} is no number of src/core/model/ranking-constants.ts.`);
  (table as Record<string, number>)[last] = value;
  return changed;
}

/** As `evaluate` ranks documents; the numbers of the ranking are no settings, so the stages are run from inside. */
async function measure(
  { path, docs }: Set,
  index: string,
  { settings, constants }: Trial,
): Promise<Measured> {
  const judged = await readJudgedSet(path, docs);
  const indexPath = join(work, index);
  const start = performance.now();
  const inside = await openInside(judged, { indexPath, settings: settings as SettingsOverride }, constants);
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const perQuery = [];
  for (const query of judged.queries.slice(0, flags.limit ? Number(flags.limit) : undefined)) {
    const asked = { mode: flags.mode as SearchMode, topN: Number(flags.hits) };
    const { hits } = (await inside.search(query.text, asked)).state;
    const { ndcg10 } = measureRanking([...new Set(hits.map((hit) => hit.path))], query.judgements);
    perQuery.push({ query, ndcg10 });
  }
  await inside.close();
  const ndcg10 = mean(perQuery.map((each) => each.ndcg10));
  return { ndcg10, perQuery, passages: countPassages(index), seconds };
}

async function copyIndex({ name }: Set, to: string): Promise<void> {
  if (flags.indexes) await cp(join(flags.indexes, name), join(work, to), { recursive: true });
}

function countPassages(index: string): number {
  const database = new DatabaseSync(join(work, index, 'index.sqlite'), { readOnly: true });
  try {
    return database.prepare('SELECT count(*) AS passages FROM chunks').get()!.passages as number;
  } finally {
    database.close();
  }
}

type Row = Awaited<ReturnType<typeof row>>;

/** The value, or the default, that is best in the mean of the other sets, and what it changes on the one left out. */
function leaveOneOut(rows: readonly Row[]) {
  return sets.map(({ name }) => {
    const others = (each: Row) =>
      mean(each.cells.filter(({ set }) => set !== name).map((cell) => cell.difference));
    const best = rows.reduce((a, b) => (others(b) > others(a) ? b : a));
    if (others(best) <= 0) return { set: name, value: 'default', difference: 0 };
    return {
      set: name,
      value: best.value,
      difference: best.cells.find(({ set }) => set === name)!.difference,
    };
  });
}

function tellLeftOut({ set, value, difference }: ReturnType<typeof leaveOneOut>[number]): string {
  return `${set} left out: ${value}, ${points(difference)} on it`;
}

function tellPooled({ value, all, types }: Row): string {
  const told = [['all', all] as const, ...Object.entries(types)].map(
    ([type, { difference, pValue, better, worse, queries }]) =>
      `${type} ${queries}: ${points(difference)} (p ${pValue.toFixed(3)}, ${better} better, ${worse} worse)`,
  );
  return `${value}, queries of all sets: ${told.join('; ')}`;
}

/** Differences in points of nDCG@10; bold where the paired randomisation test finds p < 0.05. */
function table(name: string, rows: readonly Row[]): string {
  const figures = [...defaults.values()].map(({ ndcg10 }) => ndcg10);
  const tried = rows.map(({ value, cells }) => {
    const differences = cells.map(({ difference }) => difference);
    return [value, ...cells.map(testedPoints), points(mean(differences)), points(Math.min(...differences))];
  });
  return markdownTable([
    [name, ...sets.map((set) => set.name), 'mean', 'worst'],
    ['default', ...figures.map((figure) => figure.toFixed(4)), mean(figures).toFixed(4), ''],
    ...tried,
  ]);
}
