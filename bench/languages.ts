/** What naming the language of a collection is worth to search by words: a judged set of several languages, each by itself, `auto` against its name. */
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { randomisationTest } from '../src/core/evaluate/compare.ts';
import { type Metrics, meanMetrics, measure } from '../src/core/evaluate/metrics.ts';
import { type JudgedQuery, readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { open } from '../src/engine/open.ts';
import { keep } from './record.ts';

const [set] = process.argv.slice(2);
if (set === undefined) throw new Error('usage: node bench/languages.ts <folder of cjk-pool>');

/** Documents and queries are named `<source>-…/…`. */
const SOURCES = { ja: ['jsquad', 'jaquad'], zh: ['cmrc', 'drcd'] } as const;

const work = await mkdtemp(join(tmpdir(), 'docfuse-languages-'));
const { queries } = await readJudgedSet(set);
const results: object[] = [];
for (const [language, sources] of Object.entries(SOURCES)) {
  const isOurs = (id: string) => sources.some((source) => id.startsWith(source));
  await writeDocuments(join(work, language), isOurs);
  const asked = queries.filter(({ id }) => isOurs(id));
  const auto = await rank(language, 'auto', asked);
  const named = await rank(language, language, asked);
  const p = randomisationTest(named.map(({ ndcg10 }, index) => ndcg10 - auto[index]!.ndcg10));
  const result = { language, queries: asked.length, auto: meanMetrics(auto), named: meanMetrics(named), p };
  console.log(
    `${language}: nDCG@10 ${result.auto.ndcg10.toFixed(4)} → ${result.named.ndcg10.toFixed(4)} (p = ${p.toFixed(2)})`,
  );
  results.push(result);
}
await keep('languages', { results });
await rm(work, { recursive: true });

async function writeDocuments(folder: string, isOurs: (id: string) => boolean): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(join(set!, 'corpus.jsonl')) })) {
    const { _id, title, text } = JSON.parse(line) as Record<'_id' | 'title' | 'text', string>;
    if (!isOurs(_id)) continue;
    const file = join(folder, `${_id}.md`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `# ${title}\n\n${text.split(' [SEP] ').at(-1)}\n`);
  }
}

async function rank(
  folder: string,
  language: string,
  asked: readonly JudgedQuery[],
): Promise<readonly Metrics[]> {
  const config = join(work, 'docfuse.toml');
  await writeFile(config, `[[collections]]\npath = "${folder}"\nlanguage = "${language}"\n`);
  await using index = await open({ cwd: work, config, indexPath: join(work, `index-${folder}`) });
  await index.sync({ embed: false });
  const measured: Metrics[] = [];
  for (const { text, judgements } of asked) {
    const options = { mode: 'keyword', topN: 10, minConfidence: 0, parents: false } as const;
    const { hits } = await index.search(text, options);
    const ranking = hits.map(({ path }) => path.replace(/\.md$/, ''));
    measured.push(measure(ranking, judgements));
  }
  return measured;
}
