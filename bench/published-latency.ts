/**
 * Time of searches in a published index, one at a time, and how many answers are those of the embedded index.
 * Publishes an index as it is, with its vectors: nothing is embedded again.
 * Usage: DOCFUSE_PG_URL=… node bench/published-latency.ts <folder> --index <copy of its index> --set <judged set>
 */
import { parseArgs } from 'node:util';
import { ndcg } from '../src/core/evaluate/metrics.ts';
import { mean, percentile } from '../src/core/evaluate/statistics.ts';
import type { SearchMode } from '../src/core/model/query.ts';
import type { Index } from '../src/engine/api.ts';
import { readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { open } from '../src/engine/open.ts';
import { keep } from './record.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    index: { type: 'string' },
    set: { type: 'string' },
    queries: { type: 'string', default: '200' },
    modes: { type: 'string', default: 'hybrid,keyword,semantic' },
    hits: { type: 'string', default: '10' },
    name: { type: 'string', default: 'latency' },
    /** Asks what an earlier run published. */
    asked: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const url = process.env.DOCFUSE_PG_URL;
const [folder] = positionals;
if (!url || !folder || !values.index || !values.set)
  throw new Error(
    'usage: DOCFUSE_PG_URL=… node bench/published-latency.ts <folder> --index <copy> --set <set>',
  );

const { queries } = await readJudgedSet(values.set, folder);
const asked = queries.slice(0, Number(values.queries));
/** Asked before the others, so that memory and compiled code are warm. */
const before = queries.slice(-60);
const topN = Number(values.hits);
const settings = { postgres: { url, name: values.name } };

await using embedded = await open({ roots: [folder], indexPath: values.index, settings });
const began = performance.now();
if (!values.asked) await embedded.sync({ embed: false, publish: true });
const publishSeconds = (performance.now() - began) / 1_000;
await using published = await open({ indexPath: `${url}?name=${values.name}` });

const modes: Record<string, object> = {};
for (const mode of values.modes.split(',') as SearchMode[]) {
  const [here, there] = [await ask(embedded, mode), await ask(published, mode)];
  const same = asked.filter((_, at) => here.documents[at]!.join() === there.documents[at]!.join());
  const shared = asked.map(
    (_, at) =>
      here.documents[at]!.filter((path) => there.documents[at]!.includes(path)).length /
      Math.max(1, here.documents[at]!.length),
  );
  modes[mode] = {
    embedded: here.facts,
    published: there.facts,
    sameDocumentsInOrder: same.length,
    sharedDocuments: mean(shared),
  };
  console.log(mode, modes[mode]);
}
if (values.out)
  await keep(
    'postgres',
    { published: !values.asked && { seconds: publishSeconds }, queries: asked.length, topN, modes },
    values.out,
  );

async function ask(index: Index, mode: SearchMode) {
  for (const { text } of before) await index.search(text, { mode, topN });
  const milliseconds: number[] = [];
  const documents: string[][] = [];
  const cpu = process.cpuUsage();
  for (const { text } of asked) {
    const start = performance.now();
    const { hits } = await index.search(text, { mode, topN });
    milliseconds.push(performance.now() - start);
    documents.push([...new Set(hits.map(({ path }) => path))]);
  }
  const { user, system } = process.cpuUsage(cpu);
  const ndcg10 = mean(asked.map(({ judgements }, at) => ndcg(documents[at]!, judgements, 10)));
  return {
    documents,
    facts: {
      p50: percentile(milliseconds, 0.5),
      p95: percentile(milliseconds, 0.95),
      cpu: (user + system) / 1_000 / asked.length,
      ndcg10,
    },
  };
}
