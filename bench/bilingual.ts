/**
 * Questions in six languages to English pages, by the packaged model, by a multilingual one, and by both: nDCG@5.
 * Usage: node bench/bilingual.ts VAULT MODEL --indexes FOLDER [--half looked|held|all] [--out FILE]. VAULT is fastapi-en.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluate } from '../src/engine/evaluate/evaluate.ts';
import { keep } from './record.ts';

const SET = join(import.meta.dirname, '../test/quality/bilingual');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Questions with odd numbers are looked at while working, the others only at the end. */
    half: { type: 'string', default: 'looked' },
    indexes: { type: 'string' },
    /** Only these of the configurations. */
    only: { type: 'string' },
    out: { type: 'string' },
  },
});
const [docs = '.', multilingual = 'intfloat/multilingual-e5-small'] = positionals;
const work = await mkdtemp(join(tmpdir(), 'docfuse-bilingual-'));
const indexes = values.indexes ?? work;
const set = join(work, 'set');

const CONFIGURATIONS = {
  packaged: {},
  multilingual: { model: multilingual },
  both: { multilingual_model: multilingual },
} as const;

await writeHalf();
const measured: Record<string, unknown> = {};
for (const [name, embedding] of Object.entries(CONFIGURATIONS)) {
  if (values.only && !values.only.split(',').includes(name)) continue;
  const evaluation = await evaluate({
    set,
    docs,
    runFile: join(work, `${name}.trec`),
    open: { indexPath: join(indexes, name), settings: { embedding } },
  });
  const [{ metrics, byType = {} }] = evaluation.modes as [(typeof evaluation.modes)[0]];
  const ndcg5 = Object.fromEntries(
    Object.entries(byType).map(([type, { metrics: of }]) => [type, Number(of.ndcg5.toFixed(4))]),
  );
  const others = Object.entries(ndcg5).filter(([type]) => type !== 'en');
  const foreign = others.reduce((sum, [, value]) => sum + value, 0) / others.length;
  measured[name] = {
    ...{ all: Number(metrics.ndcg5.toFixed(4)), foreign: Number(foreign.toFixed(4)) },
    ...{ byLanguage: ndcg5, warnings: evaluation.warnings },
  };
  console.log(name, JSON.stringify(measured[name]));
  if (values.half === 'looked') console.log((await missed(join(work, `${name}.trec`))).join('\n'));
}
if (!values.only) await keep(`bilingual-${values.half}`, { half: values.half, ndcg5: measured }, values.out);
await rm(work, { recursive: true });

async function writeHalf(): Promise<void> {
  const lines = (await readFile(join(SET, 'queries.jsonl'), 'utf8')).trim().split('\n');
  const isWanted = (line: string) => {
    const isOdd = Number(/-(\d+)"/.exec(line)![1]) % 2 === 1;
    return values.half === 'all' || isOdd === (values.half === 'looked');
  };
  await mkdir(set);
  await writeFile(join(set, 'queries.jsonl'), `${lines.filter(isWanted).join('\n')}\n`);
  await copyFile(join(SET, 'qrels.tsv'), join(set, 'qrels.tsv'));
}

/** Questions whose first document is not judged relevant. */
async function missed(runFile: string): Promise<readonly string[]> {
  const rows = (await readFile(join(set, 'qrels.tsv'), 'utf8')).split('\n').map((line) => line.split('\t'));
  const relevant = new Set(rows.map(([query, page]) => `${query} ${page}`));
  const run = (await readFile(runFile, 'utf8')).split('\n').map((line) => line.split(/\s+/));
  const texts = new Map(
    (await readFile(join(set, 'queries.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ _id, text }) => [_id, text]),
  );
  return [...texts].flatMap(([id, text]) => {
    const pages = run.filter(([query]) => query === id).map(([, , page]) => page!);
    const place = pages.findIndex((page) => relevant.has(`${id} ${page}`)) + 1;
    return place === 1 ? [] : [`  ${id} ${place} ${text} → ${pages.slice(0, 2).join(', ')}`];
  });
}
