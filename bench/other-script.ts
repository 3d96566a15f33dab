/**
 * How well questions by words are answered in their own script and in the other: simplified or traditional Chinese, and katakana
 * written as hiragana. OpenCC's own converter rewrites the questions.
 * Usage: node bench/other-script.ts <folder of cjk-pool>
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { meanMetrics } from '../src/core/evaluate/metrics.ts';
import { evaluate } from '../src/engine/evaluate/evaluate.ts';
import { keep } from './record.ts';

const [set] = process.argv.slice(2);
if (set === undefined) throw new Error('usage: node bench/other-script.ts <folder of cjk-pool>');

const peers = join(import.meta.dirname, 'peers');
execFileSync('npm', ['install', '--prefix', peers, '--no-package-lock', '--ignore-scripts', '--silent']);
const { Converter } = await import(join(peers, 'node_modules/opencc-js/dist/esm/full.js'));
const toTraditional: (text: string) => string = Converter({ from: 'cn', to: 'tw' });
const toSimplified: (text: string) => string = Converter({ from: 'tw', to: 'cn' });
const toHiragana = (text: string) =>
  text.replace(/[ァ-ヶ]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0x60));
/** By the source of a question, which its id begins with. */
const REWRITE: Readonly<Record<string, (text: string) => string>> = {
  'jsquad-ja': toHiragana,
  'jaquad-ja': toHiragana,
  'cmrc2018-zh': toTraditional,
  'drcd-zhtw': toSimplified,
};

const work = await mkdtemp(join(tmpdir(), 'docfuse-scripts-'));
for (const file of ['corpus.jsonl', 'qrels.tsv']) await copyFile(join(set, file), join(work, file));
const lines = (await readFile(join(set, 'queries.jsonl'), 'utf8')).trim().split('\n');
const other = lines.map((line) => {
  const { _id, text, ...more } = JSON.parse(line) as { readonly _id: string; readonly text: string };
  return JSON.stringify({ _id, text: REWRITE[sourceOf(_id)]?.(text) ?? text, ...more });
});
const results = { own: await ask(lines), other: await ask(other) };
console.table(results);
await keep('scripts', { mode: 'keyword', metric: 'nDCG@10', ...results });
await rm(work, { recursive: true });

/** Returns nDCG@10 of each source and of all. */
async function ask(queries: readonly string[]): Promise<Readonly<Record<string, number>>> {
  await writeFile(join(work, 'queries.jsonl'), `${queries.join('\n')}\n`);
  const { modes } = await evaluate({
    set: work,
    modes: ['keyword'],
    open: { indexPath: join(work, 'index') },
  });
  const { perQuery } = modes[0]!;
  const sources = Map.groupBy(perQuery, ({ id }) => sourceOf(id));
  return Object.fromEntries(
    [...sources, ['all', perQuery] as const].map(([name, asked]) => [
      name,
      meanMetrics(asked.map(({ metrics }) => metrics)).ndcg10,
    ]),
  );
}

function sourceOf(id: string): string {
  return id.split('/', 1)[0]!;
}
