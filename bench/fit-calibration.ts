/** Fits the confidence model on judged sets, and writes the coefficients and the figures where they stand. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_SEARCH_SETTINGS } from '../src/core/model/search-settings.ts';
import { type JudgedSet, readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { figures, type Sample } from './calibration-figures.ts';
import {
  type CalibrationRecord,
  type FittedRow,
  fillPage,
  modelSource,
  pageParts,
} from './calibration-page.ts';
import { CUTS, cutSet } from './cut-sets.ts';
import {
  chooseThreshold,
  chooseWithout,
  confidenceBy,
  type Data,
  FIT,
  fitRow,
  fitWithoutEach,
  ROWS,
  type RowName,
  subject,
} from './fit-rows.ts';
import { digestFolder, keepSamples } from './keep-samples.ts';
import { openSet } from './observe-queries.ts';
import { record } from './record.ts';

const USAGE = `usage: node bench/fit-calibration.ts <folder of judged sets> <set…>
  --indexes folder  where the index of each set is, or is made: <folder>/<set>
  --check set[=docs] a judged set that is never fitted to; may be repeated
  --limit n         at most n queries of a set; default 100
  --samples folder  keep what was observed there, a file for each set, and reuse what was observed under the same options,
                    of the same documents and judgements, by the same code
  --out file        default bench/results/fit-calibration-<date>.json
  --write           put the fit in force: src/core/rank/confidence-coefficients.ts and the pages that state it`;

/** Queries taken from each set of another subject. */
const FOREIGN = 40;
/** The same for a set that is cut down to a few documents. */
const FOREIGN_OF_CUT = 10;
const PROJECT = resolve(import.meta.dirname, '..');
const MODELS = join(PROJECT, 'src/core/rank/confidence-coefficients.ts');

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    indexes: { type: 'string' },
    check: { type: 'string', multiple: true, default: [] },
    limit: { type: 'string', default: '100' },
    samples: { type: 'string' },
    out: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const [root, ...names] = positionals;
if (root === undefined || names.length < 3) throw new Error(USAGE);
const limit = Number(flags.limit);
const sets = await Promise.all(names.map((name) => readJudgedSet(join(root, name))));
const checked = await Promise.all(
  flags.check.map((given) => {
    const [folder, docs] = given.split('=');
    return readJudgedSet(folder!, docs);
  }),
);

// Coefficients decide neither which hit is best nor what is observed of it.
const code = await digestFolder(join(PROJECT, 'src'), [MODELS]);
const samples: Record<RowName, Sample[]> = { both: [], words: [], meaning: [] };
for (const set of sets) add(await keep(set, observeWithCuts));
for (const set of checked) {
  add(await keep(set, () => observe(set, { set: set.name, check: true }, FOREIGN)));
}

const rows = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [
    name,
    fitted({ row, samples: samples[name as RowName], ...(name === 'both' && { words: samples.words }) }),
  ]),
) as Record<RowName, FittedRow>;
const measured = {
  sets: names,
  checked: checked.map(({ name }) => name),
  limit,
  threshold: DEFAULT_SEARCH_SETTINGS.minConfidence,
  foreign: FOREIGN,
  foreignOfCut: FOREIGN_OF_CUT,
  fit: FIT,
  rows,
};
const file = await record('fit-calibration', measured, flags.out);
const kept: CalibrationRecord = JSON.parse(await readFile(file, 'utf8'));
const pages = Object.entries(pageParts(kept));
console.log(pages.flatMap(([, parts]) => Object.values(parts)).join('\n\n'));
console.log(`written to ${file}`);
if (flags.write) {
  await writeFile(MODELS, modelSource(kept));
  for (const [path, parts] of pages) {
    const page = join(PROJECT, path);
    await writeFile(page, fillPage(await readFile(page, 'utf8'), parts));
  }
  console.log(
    'in force; next: npm run generate, npx vitest run test/surfaces --update, UPDATE_FIGURES=1 npx vitest run test/quality',
  );
}

function fitted(data: Data): FittedRow {
  const { row, samples: all } = data;
  const fits = fitWithoutEach(data);
  const groupOf = ({ cut, check }: Sample) => (check ? 'checked' : String(cut ?? 'whole'));
  return {
    ...fitRow(row, all),
    perSet: [...Map.groupBy(all, (sample) => `${groupOf(sample)} ${sample.set}`).values()].map((own) => {
      const [{ set }] = own as [Sample];
      const byEvidence = own.map((one) => ({ ...one, confidence: confidenceBy(fits.get(set)!, one) }));
      const bySigmoid = own.map((one) => ({ ...one, confidence: one.sigmoid }));
      const { minConfidence } = DEFAULT_SEARCH_SETTINGS;
      return {
        group: groupOf(own[0]!),
        set,
        evidence: figures(byEvidence, minConfidence),
        sigmoid: figures(bySigmoid, minConfidence),
      };
    }),
    threshold: {
      all: chooseThreshold(data),
      leftOut: names.map((set) => chooseWithout(data, set)),
    },
  };
}

function add(found: Readonly<Record<RowName, readonly Sample[]>>): void {
  for (const name of Object.keys(ROWS) as RowName[]) samples[name].push(...found[name]);
}

async function keep(
  set: JudgedSet,
  ask: (set: JudgedSet) => Promise<Record<RowName, readonly Sample[]>>,
): Promise<Record<RowName, readonly Sample[]>> {
  const under = {
    code,
    documents: await digestDocuments(set),
    queries: digestQueries(set),
    check: checked.includes(set),
    foreignQueries: sets.map(digestQueries),
    limit,
    foreign: FOREIGN,
    foreignOfCut: FOREIGN_OF_CUT,
    cuts: CUTS,
    rows: Object.keys(ROWS),
  };
  const file = flags.samples && join(flags.samples, `${set.name}.json`);
  const found = await keepSamples(file, under, () => ask(set));
  console.error(set.name);
  return found;
}

function digestQueries({ queries, unanswerable }: JudgedSet): string {
  const judged = queries.map(({ text, judgements }) => [text, ...judgements]);
  return digest(JSON.stringify([judged, unanswerable.map(({ text }) => text)]));
}

async function digestDocuments({ documents: { kind, path } }: JudgedSet): Promise<string> {
  return kind === 'folder' ? digestFolder(path) : digest(await readFile(path));
}

function digest(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

async function observeWithCuts(set: JudgedSet): Promise<Record<RowName, readonly Sample[]>> {
  const found = await observe(set, { set: set.name }, FOREIGN);
  if (set.documents.kind !== 'corpus') return found;
  const work = await mkdtemp(join(tmpdir(), 'docfuse-calibration-'));
  for (const { size, cut } of await cutSet(set, work)) {
    const own = await observe(
      cut,
      { set: set.name, cut: size },
      FOREIGN_OF_CUT,
      join(work, 'index', cut.name),
    );
    for (const name of Object.keys(ROWS) as RowName[]) found[name] = [...found[name], ...own[name]];
  }
  await rm(work, { recursive: true });
  return found;
}

/** By each row of the model. */
async function observe(
  set: JudgedSet,
  of: Pick<Sample, 'set' | 'cut' | 'check'>,
  foreign: number,
  indexPath = flags.indexes && join(flags.indexes, set.name),
): Promise<Record<RowName, readonly Sample[]>> {
  const opened = await openSet(set, indexPath);
  const found: Record<RowName, readonly Sample[]> = { both: [], words: [], meaning: [] };
  for (const [name, { mode }] of Object.entries(ROWS)) {
    const asked = await opened.observe({ mode, limit, foreign: foreignTo(set.name, foreign) });
    found[name as RowName] = asked.map((sample) => ({ ...sample, ...of }));
  }
  await opened.close();
  return found;
}

/** Queries of sets that treat another subject, evenly taken. */
function foreignTo(name: string, most: number): readonly string[] {
  return sets
    .filter((other) => subject(other.name) !== subject(name))
    .flatMap(({ queries }) => {
      const step = Math.max(1, Math.floor(queries.length / most));
      return queries
        .filter((_, place) => place % step === 0)
        .slice(0, Math.min(most, limit))
        .map(({ text }) => text);
    });
}
