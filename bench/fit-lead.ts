/** Fits "is the first hit right?" to the lead of the first document, and tells what the words of confidence keep on sets left out. */
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { rocArea } from '../src/core/evaluate/calibration.ts';
import { readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { fitLogistic } from './fit-logistic.ts';
import { subject } from './fit-rows.ts';
import { openInside } from './open-inside.ts';
import { keep } from './record.ts';

const USAGE = `usage: node bench/fit-lead.ts <judged set>[=docs]…
  --indexes folder  where the index of each set is, or is made: <folder>/<set>
  --check set       fitted to nothing; may be repeated
  --limit n         at most n queries of a set; default 200`;

/** As in `likelyRight`. */
const MAX_LEAD = [0.5, 0.6] as const;
const HIGH = { confidence: 0.5, right: 0.9 };
/** As `FAIR` in `trust-hits.ts`. */
const FAIR = { confidence: 0.24, right: 0.5 };
/** Queries taken from each set of another subject. */
const FOREIGN = 15;

interface First {
  readonly set: string;
  readonly own: boolean;
  readonly right: boolean;
  readonly confidence: number;
  /** Square root of the lead over the next document, and the lead over the mean of the four after it. */
  readonly lead: readonly [number, number];
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    indexes: { type: 'string' },
    check: { type: 'string', multiple: true, default: [] },
    limit: { type: 'string', default: '200' },
  },
});
if (positionals.length < 3) throw new Error(USAGE);
const sets = await Promise.all(
  positionals.map((given) => {
    const [folder, docs] = given.split('=');
    return readJudgedSet(folder!, docs);
  }),
);
const firsts: First[] = [];
for (const set of sets) {
  const inside = await openInside(set, flags.indexes ? { indexPath: join(flags.indexes, set.name) } : {});
  const ask = async (query: string, relevant?: readonly string[]) => {
    const { state } = await inside.search(query, { mode: 'hybrid', topN: 30 });
    const [first] = state.candidates;
    if (first === undefined) return;
    const documents = [...Map.groupBy(state.candidates, ({ document }) => document).values()].map(
      ([best]) => best!,
    );
    const [next = 0, ...others] = documents.slice(1, 6).map(({ fused }) => fused);
    const mean = others.reduce((sum, each) => sum + each, 0) / Math.max(1, others.length);
    firsts.push({
      set: set.name,
      own: relevant !== undefined,
      right: relevant?.includes(state.hits[0]!.path) ?? false,
      confidence: first.score,
      lead: [
        Math.sqrt(Math.min(MAX_LEAD[0], Math.max(0, first.fused - next))),
        Math.min(MAX_LEAD[1], first.fused - mean),
      ],
    });
  };
  for (const { text, judgements } of set.queries.slice(0, Number(flags.limit))) {
    await ask(
      text,
      [...judgements].filter(([, grade]) => grade > 0).map(([document]) => document),
    );
  }
  for (const other of sets.filter(({ name }) => subject(name) !== subject(set.name))) {
    const step = Math.max(1, Math.floor(other.queries.length / FOREIGN));
    for (let at = 0; at < FOREIGN && other.queries[at * step]; at++)
      await ask(other.queries[at * step]!.text);
  }
  await inside.close();
  console.error(set.name);
}

const checked = flags.check.map((name) => basename(name));
const fitted = firsts.filter(({ set, own }) => own && !checked.includes(set));
const perSet = sets.map(({ name }) => {
  const rightOf = fit(fitted.filter(({ set }) => subject(set) !== subject(name)));
  const all = firsts.filter(({ set }) => set === name).map((each) => ({ ...each, p: rightOf(each) }));
  const own = all.filter(({ own: isOwn }) => isOwn);
  const isHigh = ({ confidence, p }: (typeof all)[number]) =>
    confidence >= HIGH.confidence && p >= HIGH.right;
  const high = all.filter(isHigh);
  const isFair = ({ confidence, p }: (typeof all)[number]) =>
    confidence >= FAIR.confidence && p >= FAIR.right;
  const fair = own.filter((each) => isFair(each) && !isHigh(each));
  const low = own.filter((each) => !isFair(each));
  const area = (of: (each: (typeof own)[number]) => number) =>
    rocArea(own.map((each) => ({ confidence: of(each), correct: each.right })));
  return {
    set: name,
    questions: own.length,
    right: share(own.map(({ right }) => right)),
    high: high.filter(({ own: isOwn }) => isOwn).length,
    highRight: share(high.filter(({ own: isOwn }) => isOwn).map(({ right }) => right)),
    fair: fair.length,
    fairRight: share(fair.map(({ right }) => right)),
    low: low.length,
    lowRight: share(low.map(({ right }) => right)),
    foreignHigh: high.filter(({ own: isOwn }) => !isOwn).length,
    foreign: all.length - own.length,
    areaByConfidence: area(({ confidence }) => confidence),
    areaByLead: area(({ p }) => p),
  };
});
console.table(perSet);
const { intercept, weights } = coefficients(fitted);
console.log({ intercept, weights });
await keep('fit-lead', { checked, intercept, weights, high: HIGH, perSet });

function fit(examples: readonly First[]): (each: First) => number {
  const model = coefficients(examples);
  return ({ lead }) =>
    1 / (1 + Math.exp(-(model.intercept + model.weights[0]! * lead[0] + model.weights[1]! * lead[1])));
}

/** Every set counts the same. */
function coefficients(examples: readonly First[]) {
  const sizes = Map.groupBy(examples, ({ set }) => set);
  return fitLogistic(
    examples.map(({ set, lead, right }) => ({
      values: lead,
      label: Number(right),
      weight: 100 / sizes.get(set)!.length,
    })),
  );
}

function share(all: readonly boolean[]): number | undefined {
  return all.length === 0 ? undefined : all.filter(Boolean).length / all.length;
}
