/** Time of one query end to end in this process, embedding included, at 1,000 documents. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/percentile.ts';
import { SEARCH_MODES, type SearchMode } from '../src/core/model/query.ts';
import { open } from '../src/engine/open.ts';
import { record } from './record.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string', default: '1000' },
    queries: { type: 'string', default: '300' },
    out: { type: 'string' },
  },
});

/** Frequent words come first: word number n is drawn about 1/n as often as the first, as in real text. */
const WORDS = [
  ...['the', 'of', 'server', 'token', 'request', 'index', 'value', 'error', 'file', 'search', 'user', 'key'],
  ...['cache', 'query', 'result', 'default', 'option', 'setting', 'document', 'header', 'rotate', 'client'],
  ...['score', 'ranking', 'vector', 'memory', 'thread', 'release', 'version', 'upgrade', 'migrate', 'schema'],
  ...['table', 'column', 'filter', 'limit', 'timeout', 'retry', 'stream', 'buffer', 'encode', 'decode'],
  ...['signature', 'certificate', 'permission', 'backup', 'restore', 'cluster', 'replica', 'partition'],
  ...['latency', 'throughput', 'calibration', 'threshold', 'embedding', 'tokenizer', 'segment', 'tombstone'],
];

const work = await mkdtemp(join(tmpdir(), 'docfuse-latency-'));
const random = randomIndexes();
const folder = positionals[0] ?? (await writeDocuments(join(work, 'documents'), Number(values.documents)));
const index = await open({ roots: [folder], indexPath: join(work, 'index') });
const report = await index.sync();

const queries = Array.from({ length: Number(values.queries) }, () => words(5));
/** Median of what all stages but `retrieve` take together. */
const besideRetrieval: Partial<Record<SearchMode, number>> = {};
const latency: Partial<Record<SearchMode, { readonly p50: number; readonly p95: number }>> = {};
for (const mode of SEARCH_MODES) {
  for (const query of queries.slice(0, 20)) await index.search(query, { mode });
  const milliseconds: number[] = [];
  const beside: number[] = [];
  for (const query of queries) {
    const start = performance.now();
    const { timingsMs } = await index.search(query, { mode });
    milliseconds.push(performance.now() - start);
    beside.push((timingsMs.total ?? 0) - (timingsMs.retrieve ?? 0));
  }
  besideRetrieval[mode] = percentile(beside, 0.5);
  latency[mode] = { p50: percentile(milliseconds, 0.5), p95: percentile(milliseconds, 0.95) };
}
const { documents, chunks } = (await index.status()).index;
await index.close();
await rm(work, { recursive: true });

console.log(
  `${documents} documents, ${chunks} chunks, indexed in ${(report.milliseconds / 1000).toFixed(1)} s`,
);
for (const [mode, { p50, p95 }] of Object.entries(latency)) {
  console.log(`${mode.padEnd(8)}  p50 ${p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms`);
}
const measured = {
  documents,
  chunks,
  besideRetrieval,
  indexMilliseconds: report.milliseconds,
  queries: queries.length,
  latency,
};
console.log(`Kept in ${await record('query-latency', measured, values.out)}`);

/** Writes documents of a title, four sections and about 2,500 characters; the same ones every time. */
async function writeDocuments(target: string, count: number): Promise<string> {
  await mkdir(target);
  for (let number = 0; number < count; number++) {
    const sections = Array.from({ length: 4 }, () => `## ${words(3)}\n\n${words(40)}.\n\n${words(50)}.\n`);
    await writeFile(join(target, `${number}.md`), `# ${words(4)}\n\n${words(20)}.\n\n${sections.join('\n')}`);
  }
  return target;
}

function words(count: number): string {
  return Array.from({ length: count }, () => WORDS[random.next().value]).join(' ');
}

/** Positions in `WORDS` by Zipf's law, from a linear congruential generator (Park and Miller 1988). */
function* randomIndexes(): Generator<number, never> {
  for (let state = 42; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield Math.floor(WORDS.length ** (state / 2_147_483_647)) - 1;
  }
}
