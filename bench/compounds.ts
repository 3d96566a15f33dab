/**
 * Search by words in documents of German, Dutch and Swedish, whose words are compounds: nDCG@10, recall and milliseconds.
 * Usage: node bench/compounds.ts FOLDER [--half looked|held] [--compare FILE] [--out FILE]. FOLDER holds the unpacked packages:
 * see test/quality/compounds/README.md. FILE is an earlier result, to compare question by question.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { htmlPage } from '../src/adapters/formats/html.ts';
import { comparePaired, type PairedDifference } from '../src/core/evaluate/compare.ts';
import { type Metrics, measure } from '../src/core/evaluate/metrics.ts';
import { readSetFiles } from '../src/engine/evaluate/set-files.ts';
import { open } from '../src/engine/open.ts';
import { keep } from './record.ts';

const SET = join(import.meta.dirname, '../test/quality/compounds');
const LANGUAGES = ['de', 'nl', 'sv'] as const;
type Language = (typeof LANGUAGES)[number];
/** Searches of each question. */
const REPEATS = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Questions with odd numbers are looked at while working, the others only at the end. */
    half: { type: 'string', default: 'looked' },
    compare: { type: 'string' },
    out: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: node bench/compounds.ts FOLDER [--half looked|held]');

interface Asked extends Pick<Metrics, 'ndcg10' | 'recall10'> {
  readonly id: string;
  readonly type: string;
  /** The fastest of `REPEATS` searches, and the fastest look at other forms of the words. */
  readonly milliseconds: number;
  readonly formsMilliseconds: number;
}

const { queries, judgements } = await readSetFiles(SET);
const isWanted = (id: string) => Number(id.slice(3)) % 2 === (values.half === 'looked' ? 1 : 0);
const asked: Asked[] = [];
for (const language of LANGUAGES) asked.push(...(await ask(language)));

const groups = new Map<string, readonly Asked[]>([
  ...Map.groupBy(asked, ({ id }) => id.slice(0, 2)),
  ...Map.groupBy(asked, ({ type }) => type),
  ['all', asked],
]);
const earlier: readonly Asked[] = values.compare
  ? JSON.parse(await readFile(values.compare, 'utf8')).perQuery
  : [];
const results = Object.fromEntries([...groups].map(([name, group]) => [name, summarise(group)]));
console.table(results);
if (values.out)
  await keep('compounds', { half: values.half, mode: 'keyword', results, perQuery: asked }, values.out);

function summarise(group: readonly Asked[]) {
  const mean = (of: (one: Asked) => number) =>
    round(group.reduce((sum, one) => sum + of(one), 0) / group.length);
  const before = group.map(({ id }) => earlier.find((one) => one.id === id)?.ndcg10);
  const isPaired = before.every((value) => value !== undefined);
  const difference: PairedDifference | false =
    isPaired &&
    comparePaired(
      group.map(({ ndcg10 }) => ndcg10),
      before,
    );
  return {
    questions: group.length,
    ndcg10: mean(({ ndcg10 }) => ndcg10),
    recall10: mean(({ recall10 }) => recall10),
    milliseconds: mean(({ milliseconds }) => milliseconds),
    formsMilliseconds: mean(({ formsMilliseconds }) => formsMilliseconds),
    ...(difference && { difference: round(difference.difference), p: round(difference.pValue) }),
  };
}

function round(value: number): number {
  return Number(value.toFixed(4));
}

async function ask(language: Language): Promise<readonly Asked[]> {
  const pages = join(folder!, 'pages', language);
  await writePages(language, pages);
  const work = await mkdtemp(join(tmpdir(), 'docfuse-compounds-'));
  const config = join(work, 'docfuse.toml');
  await writeFile(
    config,
    `[[collections]]\npath = "${pages}"\nlanguage = "${language}"\n[search]\nmax_chunks_per_doc = 1\n`,
  );
  await using index = await open({
    cwd: work,
    config,
    indexPath: join(folder!, 'pages', `index-${language}`),
  });
  await index.sync({ embed: false });
  const found: Asked[] = [];
  for (const { id, text, type = '' } of queries) {
    if (!id.startsWith(language) || !isWanted(id)) continue;
    const times: number[] = [];
    const formTimes: number[] = [];
    let ranking: readonly string[] = [];
    for (let time = 0; time < REPEATS; time++) {
      // Another number of hits each time: an equal search would be answered from the cache.
      const options = { mode: 'keyword', topN: 30 + time, minConfidence: 0, parents: false } as const;
      const { hits, timingsMs } = await index.search(text, options);
      times.push(timingsMs.total ?? 0);
      formTimes.push(timingsMs.forms ?? 0);
      ranking = [...new Set(hits.map(({ path }) => path))];
    }
    const metrics = measure(ranking, judgements!.get(id)!);
    if (values.misses && metrics.ndcg10 < 1)
      console.log(`${id} ${round(metrics.ndcg10)} ${text} → ${ranking.slice(0, 3).join(', ')}`);
    const { ndcg10, recall10 } = metrics;
    found.push({
      id,
      type,
      ndcg10,
      recall10,
      milliseconds: Math.min(...times),
      formsMilliseconds: Math.min(...formTimes),
    });
  }
  await rm(work, { recursive: true });
  return found;
}

/** Converts the pages of both packages to Markdown, once, without links and pictures. */
async function writePages(language: Language, target: string): Promise<void> {
  const share = join(folder!, 'usr/share');
  const sources = {
    office: [
      join(share, 'libreoffice/help', language, 'text'),
      /^(?!sbasic|schart|smath)\w+\/(guide|optionen|\d\d)\//,
    ],
    install: [join(share, 'doc/installation-guide-amd64', language), /^/],
  } as const;
  if ((await readdir(target).catch(() => [])).length > 0) return;
  for (const [name, [root, wanted]] of Object.entries(sources)) {
    for (const file of await readdir(root, { recursive: true })) {
      if (!file.endsWith('.html') || !wanted.test(file)) continue;
      const html = await readFile(join(root, file), 'utf8');
      // The help has its text after lists of pages that are the same everywhere.
      const { markdown, fields } = htmlPage(html.replace(/<header[\s\S]*?(?=<div id="DisplayArea")/, ''));
      const text = markdown.replace(/!\[[^\]]*\]\([^)]*\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
      const page = join(target, name, file.replace(/\.html$/, '.md'));
      await mkdir(dirname(page), { recursive: true });
      await writeFile(page, `---\ntitle: ${JSON.stringify(fields.title ?? '')}\n---\n\n${text}\n`);
    }
  }
}
