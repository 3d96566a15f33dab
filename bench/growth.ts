/**
 * How indexing, opening, asking, memory and disk grow with the number of passages. Times are of the processor, but for p50 and p95.
 * An index of up to 64 MiB is checked at every run, so only larger ones differ in the two rows of unchanged runs.
 * Usage: node bench/growth.ts [--svg FILE] [PASSAGES…]. Documents are made of 100,000 words by Zipf's law, with a link each;
 * vectors are random.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import { openSqliteStore } from '../src/adapters/store/sqlite-store.ts';
import { randomNumbers } from '../src/core/evaluate/statistics.ts';
import { open } from '../src/engine/open.ts';
import { markdownTable } from './markdown-table.ts';
import { keep } from './record.ts';
import { BIN } from './served.ts';
import { createWords, writeDocuments } from './synthetic-documents.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, svg: { type: 'string' } },
});
const sizes = (positionals.length > 0 ? positionals : ['10', '100', '1000', '10000', '100000']).map(Number);

const VOCABULARY = 100_000;
const PASSAGES_OF_A_DOCUMENT = 4;
const DIMENSIONS = 384;
const MIB = 2 ** 20;
const run = promisify(execFile);
/** Prints what a process used as the last line of its standard error. */
const PROBE = `data:text/javascript,process.on("exit",()=>console.error(JSON.stringify(process.resourceUsage())))`;

type Figures = Readonly<Record<string, number>>;

const model = await noteOfModel();
const measured: Figures[] = [];
for (const size of sizes) {
  measured.push(await measure(size));
  console.log(measured.at(-1));
}
const growth = exponents(measured);
console.log(
  markdownTable([
    ['', ...measured.map(({ passages }) => passages!.toLocaleString('en')), 'exponent', 'last step'],
    ...Object.entries(growth).map(([name, { all, last }]) => [
      name,
      ...measured.map((each) => shown(each[name]!)),
      all.toFixed(2),
      last.toFixed(2),
    ]),
  ]),
);
await keep('growth', { load: loadavg(), vocabulary: VOCABULARY, measured, growth }, values.out);
if (values.svg) await writeFile(values.svg, await draw(measured));

async function measure(size: number): Promise<Figures> {
  const work = await mkdtemp(join(tmpdir(), 'docfuse-growth-'));
  try {
    const [docs, index] = [join(work, 'documents'), join(work, 'index')];
    await writeDocuments(docs, Math.ceil(size / PASSAGES_OF_A_DOCUMENT), createWords(VOCABULARY), true);
    const first = await indexOnce(docs, index);
    const wordBytes = await bytesIn(index);
    const passages = fillVectors(index);
    const checked = await indexOnce(docs, index);
    const unchanged = await indexOnce(docs, index);
    const ask = join(import.meta.dirname, 'growth-ask.ts');
    const { stdout } = await run(process.execPath, [ask, docs, index, String(VOCABULARY)]);
    const { opened, residentOpen, resident, modes } = JSON.parse(stdout);
    const ofMode = Object.entries(modes as Record<string, Figures>).flatMap(([mode, { cpu, p50, p95 }]) => [
      [`${mode}, ms`, cpu],
      [`${mode}, ms p50`, p50],
      [`${mode}, ms p95`, p95],
    ]);
    return {
      passages,
      'text, MiB': (await bytesIn(docs)) / MIB,
      'index by words, s': first.seconds,
      'the same on the clock, s': first.wall,
      'peak of indexing, MiB': first.peak,
      'unchanged, s': unchanged.seconds,
      'unchanged, with the daily check, s': checked.seconds,
      'peak of the daily check, MiB': checked.peak,
      'disk without vectors, MiB': wordBytes / MIB,
      'disk, MiB': (await bytesIn(index)) / MIB,
      'open and ask once, s': opened / 1000,
      'resident then, MiB': residentOpen,
      'resident after 400 questions, MiB': resident,
      ...Object.fromEntries(ofMode),
    };
  } finally {
    await rm(work, { recursive: true });
  }
}

/** Seconds of processor time, and the most memory, of `docfuse index` by words. */
async function indexOnce(docs: string, index: string) {
  const began = performance.now();
  const options = ['index', docs, '--index', index, '--quiet', '--no-embed'];
  const { stderr } = await run(process.execPath, ['--import', PROBE, BIN, ...options]);
  const wall = (performance.now() - began) / 1000;
  const used: NodeJS.ResourceUsage = JSON.parse(stderr.trim().split('\n').at(-1)!);
  return { wall, seconds: (used.userCPUTime + used.systemCPUTime) / 1e6, peak: used.maxRSS / 1024 };
}

/** Gives every passage a random unit vector, as if the model had made it. @returns number of passages */
function fillVectors(index: string): number {
  const random = randomNumbers(1);
  const store = openSqliteStore(join(index, 'index.sqlite'));
  for (let left = true; left; ) {
    const missing = store.missingVectors(model.model, 20_000);
    left = missing.length > 0;
    const vectors = missing.map(({ key }) => ({ key, vector: randomUnit(random) }));
    store.putVectors(model.model, vectors);
  }
  store.setState(model);
  const { chunks } = store.counts(model.model);
  store.close();
  return chunks;
}

/** What an index notes about the model of the settings, once it has made a vector. */
async function noteOfModel(): Promise<{ readonly model: string; readonly modelName: string }> {
  const work = await mkdtemp(join(tmpdir(), 'docfuse-growth-'));
  const [docs, indexPath] = [join(work, 'documents'), join(work, 'index')];
  await writeDocuments(docs, 1, createWords());
  const index = await open({ roots: [docs], indexPath });
  await index.sync();
  await index.close();
  const store = openSqliteStore(join(indexPath, 'index.sqlite'), { readOnly: true });
  const noted = { model: store.getState('model')!, modelName: store.getState('modelName')! };
  store.close();
  await rm(work, { recursive: true });
  return noted;
}

function randomUnit(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() + random() - 1);
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return vector.map((x) => x / norm);
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return bytes;
}

/** By figure: the slope of its logarithm over that of the passages, by least squares over all sizes, and of the last step. */
function exponents(
  rows: readonly Figures[],
): Record<string, { readonly all: number; readonly last: number }> {
  const names = Object.keys(rows[0]!).filter((name) => name !== 'passages');
  return Object.fromEntries(
    names.map((name) => {
      const points = rows.map((row) => [Math.log(row.passages!), Math.log(row[name]!)] as const);
      return [name, { all: slope(points), last: slope(points.slice(-2)) }];
    }),
  );
}

function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const sum = (of: (point: readonly [number, number]) => number) =>
    points.reduce((all, each) => all + of(each), 0);
  return sum((each) => (each[0] - x) * (each[1] - y)) / sum((each) => (each[0] - x) ** 2);
}

function shown(value: number): string {
  return value < 10
    ? value.toFixed(2)
    : value < 100
      ? value.toFixed(1)
      : Math.round(value).toLocaleString('en');
}

/** The figures in each unit as lines over the passages, both axes logarithmic. */
async function draw(rows: readonly Figures[]): Promise<string> {
  const shownFigures = /by words, s|peak|^disk, MiB|open|after|(hybrid|keyword|semantic|code), ms$/;
  const values = rows.flatMap(({ passages, ...figures }) =>
    Object.entries(figures)
      .filter(([name]) => shownFigures.test(name))
      .map(([name, value]) => ({ passages, value, name, unit: name.split(', ').at(-1) })),
  );
  const axisOf = (values: readonly number[]) => ({ grid: false, format: ',', values: [...values] });
  const axis = { type: 'quantitative', scale: { type: 'log' } } as const;
  const sizes = axisOf(rows.map(({ passages }) => passages!));
  const { spec } = compile({
    background: 'white',
    data: { values },
    facet: { column: { field: 'unit', title: null } },
    resolve: { scale: { y: 'independent', color: 'independent' } },
    spec: {
      width: 180,
      height: 180,
      mark: { type: 'line', point: true },
      encoding: {
        x: { ...axis, field: 'passages', axis: sizes },
        y: { ...axis, field: 'value', title: null, axis: axisOf([0.1, 1, 10, 100, 1000]) },
        color: { field: 'name', type: 'nominal', legend: { orient: 'bottom', columns: 1, title: null } },
      },
    },
  });
  const view = new View(parse(spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}
