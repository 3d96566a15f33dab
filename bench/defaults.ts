/** What other values of a setting are worth: every judged set under each, paired with the defaults, and the choice with each set left out. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { comparePaired } from '../src/core/evaluate/compare.ts';
import { meanMetrics, measure as measureRanking } from '../src/core/evaluate/metrics.ts';
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
import { evaluate } from '../src/engine/evaluate/evaluate.ts';
import { readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { openInside } from './open-inside.ts';
import { record } from './record.ts';

const USAGE = `usage: node bench/defaults.ts <set or set=docs…>
  --try name=value,value  a setting, such as search.graph_weight or chunking.max_chars, or a number of the ranking, such as
                          ranking.lanes.title or ranking.words.fields.headers; may be repeated
  --with name=value       a setting that goes with every value tried, and not with the defaults; may be repeated
  --indexes folder        indexes made with the defaults, <folder>/<set>; they are copied
  --mode name             default hybrid
  --limit n               at most n queries of a set
  --out file              default bench/results/defaults-<date>.json`;

interface Measured {
  readonly ndcg10: number;
  readonly perQuery: readonly number[];
  readonly passages: number;
  /** Of making the index, where it is made anew. */
  readonly seconds: number;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    try: { type: 'string', multiple: true, default: [] },
    with: { type: 'string', multiple: true, default: [] },
    indexes: { type: 'string' },
    mode: { type: 'string', default: 'hybrid' },
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
const given = flags.with
  .map((each) => each.split('='))
  .reduce<SettingsTree>((all, [name = '', value = '']) => mergeTrees(all, setting(name, value)), {});
const work = await mkdtemp(join(tmpdir(), 'docfuse-defaults-'));

const defaults = new Map<string, Measured>();
for (const set of sets) {
  await copyIndex(set, set.name);
  defaults.set(set.name, await measure(set, set.name, {}));
}
const trials = [];
for (const trial of flags.try) {
  const [name = '', list = ''] = trial.split('=');
  const rows = [];
  for (const value of list.split(',')) rows.push(await row(name, value));
  const leftOut = sets.length > 1 ? leaveOneOut(rows) : [];
  trials.push({ setting: name, rows, leftOut });
  console.log(`${table(name, rows)}\n${leftOut.map(tellLeftOut).join('\n')}\n`);
}
await rm(work, { recursive: true });
const ndcg10 = Object.fromEntries([...defaults].map(([set, measured]) => [set, measured.ndcg10]));
console.log(
  `Kept in ${await record('defaults', { mode: flags.mode, limit: flags.limit ?? 'none', with: flags.with, defaults: ndcg10, trials }, flags.out)}`,
);

async function row(name: string, value: string) {
  const cells = [];
  for (const set of sets) {
    const before = defaults.get(set.name)!;
    const after = await measureValue(set, name, value);
    const { difference, pValue } = comparePaired(after.perQuery, before.perQuery);
    const { passages, seconds } = after;
    cells.push({ set: set.name, ndcg10: after.ndcg10, difference, pValue, passages, seconds });
    console.error(name, value, set.name, after.ndcg10.toFixed(4), points(difference), passages, seconds);
  }
  return { value, cells };
}

async function measureValue(set: Set, name: string, value: string): Promise<Measured> {
  if (name.startsWith('ranking.')) return measureInside(set, withConstant(name.slice(8), Number(value)));
  const settings = mergeTrees(given, setting(name, value));
  if (!name.startsWith('chunking.')) return measure(set, set.name, settings);
  // Passages that stay the same keep their vectors, and the index of the defaults must not lose its own.
  await copyIndex(set, 'cut');
  const measured = await measure(set, 'cut', settings);
  await rm(join(work, 'cut'), { recursive: true });
  return measured;
}

function setting(name: string, value: string): SettingsTree {
  const schema = schemas.get(name);
  if (!schema) throw new Error(`${name} is no setting.\n${USAGE}`);
  return treeWith(name, settingValue(value, schema));
}

/** The constants in force with one number changed. */
function withConstant(path: string, value: number): RankingConstants {
  const changed = structuredClone(RANKING);
  const names = path.split('.');
  const last = names.pop()!;
  const table = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], changed);
  if (typeof (table as Record<string, unknown> | undefined)?.[last] !== 'number' || Number.isNaN(value))
    throw new Error(`ranking.${path} is no number of src/core/model/ranking-constants.ts.`);
  (table as Record<string, number>)[last] = value;
  return changed;
}

/** As `evaluate` ranks documents; constants are no settings, so the stages are run from inside. */
async function measureInside({ name, path, docs }: Set, constants: RankingConstants): Promise<Measured> {
  const judged = await readJudgedSet(path, docs);
  const settings = mergeTrees({ search: { max_chunks_per_doc: 1 } }, given) as SettingsOverride;
  const inside = await openInside(judged, { indexPath: join(work, name), settings }, constants);
  const metrics = [];
  const limit = flags.limit ? Number(flags.limit) : undefined;
  for (const { text, judgements } of judged.queries.slice(0, limit)) {
    const asked = { mode: flags.mode as SearchMode, topN: 100 };
    const { hits } = (await inside.search(text, asked)).state;
    metrics.push(measureRanking([...new Set(hits.map((hit) => hit.path))], judgements));
  }
  await inside.close();
  const perQuery = metrics.map(({ ndcg10 }) => ndcg10);
  return { ndcg10: meanMetrics(metrics).ndcg10, perQuery, passages: countPassages(name), seconds: 0 };
}

async function copyIndex({ name }: Set, to: string): Promise<void> {
  if (flags.indexes) await cp(join(flags.indexes, name), join(work, to), { recursive: true });
}

async function measure({ path, docs }: Set, index: string, settings: SettingsTree): Promise<Measured> {
  let asked: number | undefined;
  const start = performance.now();
  const { modes } = await evaluate({
    set: path,
    modes: [flags.mode as SearchMode],
    open: { indexPath: join(work, index), settings: settings as SettingsOverride },
    ...(docs && { docs }),
    ...(flags.limit && { limit: Number(flags.limit) }),
    onProgress: (progress) => {
      if (progress.phase === 'query') asked ??= performance.now();
    },
  });
  const perQuery = modes[0]!.perQuery.map(({ metrics }) => metrics.ndcg10);
  const seconds = Math.round(((asked ?? start) - start) / 100) / 10;
  return { ndcg10: modes[0]!.metrics.ndcg10, perQuery, passages: countPassages(index), seconds };
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

/** Differences in points of nDCG@10; bold where the paired randomisation test finds p < 0.05. */
function table(name: string, rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const figures = [...defaults.values()].map(({ ndcg10 }) => ndcg10);
  return [
    line([name, ...sets.map((set) => set.name), 'mean', 'worst']),
    line(Array.from({ length: sets.length + 3 }, () => '---')),
    line(['default', ...figures.map((figure) => figure.toFixed(4)), mean(figures).toFixed(4), '']),
    ...rows.map(({ value, cells }) => {
      const differences = cells.map(({ difference }) => difference);
      const told = cells.map(({ difference, pValue }) =>
        pValue < 0.05 ? `**${points(difference)}**` : points(difference),
      );
      return line([value, ...told, points(mean(differences)), points(Math.min(...differences))]);
    }),
  ].join('\n');
}

function points(difference: number): string {
  const value = (100 * difference).toFixed(2);
  return Number(value) === 0 ? '0' : `${Number(value) > 0 ? '+' : '−'}${value.replace('-', '')}`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
