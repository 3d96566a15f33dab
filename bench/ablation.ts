/** What each stage of the search is worth: every judged set with the stage switched the other way, paired with the defaults. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingsOverride } from '../src/engine/api.ts';
import { evaluate } from '../src/engine/evaluate/evaluate.ts';
import { record } from './record.ts';

/** Each switched away from its default, the rest as it is. */
const VARIANTS: Readonly<Record<string, NonNullable<SettingsOverride['search']>>> = {
  'reciprocal ranks instead of the weighted sum': { fusion: 'rrf' },
  'query types off': { adaptive_weights_enabled: false },
  'variance weights on': { advanced: { dynamic_weights_enabled: true } },
  'query expansion on': { query_expansion_enabled: true },
  'synonyms on': { synonyms_enabled: true },
  'code lane off': { code_search_enabled: false },
  'links off': { graph_weight: 0 },
  'communities off': { advanced: { community_detection_enabled: false } },
  'recency off': { recency_bias: 0 },
  'exact duplicates kept': { content_dedup_enabled: false },
  'near duplicates kept': { ngram_dedup_enabled: false },
  'semantic duplicates removed': { dedup_enabled: true },
  'MMR on': { mmr_enabled: true },
};

const PAGE = join(import.meta.dirname, '..', 'docs', 'explain', 'quality.md');

const [root, ...sets] = process.argv.slice(2);
if (root === undefined || sets.length === 0) {
  throw new Error('usage: node bench/ablation.ts <folder of judged sets> <set…>');
}

const work = await mkdtemp(join(tmpdir(), 'docfuse-ablation-'));
const baseline = new Map<string, number>();
for (const set of sets) baseline.set(set, (await measure(set, {}, 'write')).ndcg10);

const rows: { variant: string; cells: { set: string; difference: number; pValue: number }[] }[] = [];
for (const [variant, search] of Object.entries(VARIANTS)) {
  const cells = [];
  for (const set of sets) {
    const { difference, pValue } = await measure(set, search, 'compare');
    cells.push({ set, difference, pValue });
  }
  rows.push({ variant, cells });
  console.error(variant);
}
await rm(work, { recursive: true });

const table = markdown();
console.log(table);
const page = await readFile(PAGE, 'utf8');
const [before, after] = [page.split('<!-- ablation:begin -->')[0], page.split('<!-- ablation:end -->')[1]];
await writeFile(PAGE, `${before}<!-- ablation:begin -->\n${table}\n<!-- ablation:end -->${after}`);
console.log(`written to ${await record('ablation', { baseline: Object.fromEntries(baseline), rows })}`);

async function measure(
  set: string,
  search: NonNullable<SettingsOverride['search']>,
  run: 'write' | 'compare',
) {
  const file = join(work, `${set}.trec`);
  const { modes } = await evaluate({
    set: join(root!, set),
    open: { settings: { search } },
    ...(run === 'write' ? { runFile: file } : { compareFile: file }),
  });
  const [hybrid] = modes;
  const paired = hybrid?.comparison?.find(({ metric }) => metric === 'ndcg10');
  return {
    ndcg10: hybrid?.metrics.ndcg10 ?? Number.NaN,
    difference: paired?.difference ?? 0,
    pValue: paired?.pValue ?? 1,
  };
}

/** Differences in points of nDCG@10; bold where the paired randomisation test finds p < 0.05. */
function markdown(): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['nDCG@10, hybrid', ...sets, 'mean']),
    line(Array.from({ length: sets.length + 2 }, () => '---')),
    line([
      '**defaults**',
      ...sets.map((set) => baseline.get(set)!.toFixed(4)),
      mean([...baseline.values()]).toFixed(4),
    ]),
    ...rows.map(({ variant, cells }) =>
      line([
        variant,
        ...cells.map(({ difference, pValue }) =>
          pValue < 0.05 ? `**${points(difference)}**` : points(difference),
        ),
        points(mean(cells.map(({ difference }) => difference))),
      ]),
    ),
  ].join('\n');
}

function points(difference: number): string {
  const value = (100 * difference).toFixed(2);
  return Number(value) === 0 ? '0' : `${Number(value) > 0 ? '+' : '−'}${value.replace('-', '')}`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
