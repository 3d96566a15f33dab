/** What each stage of the search is worth: every judged set with the stage switched the other way, paired with the defaults. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mean } from '../src/core/evaluate/statistics.ts';
import type { SettingsOverride } from '../src/engine/api.ts';
import { type EvaluateOptions, evaluate } from '../src/engine/evaluate/evaluate.ts';
import { markdownTable, points, testedPoints } from './markdown-table.ts';
import { keep } from './record.ts';

interface Variant {
  readonly search?: NonNullable<SettingsOverride['search']>;
  readonly ask?: NonNullable<EvaluateOptions['ask']>;
}

/**
 * Each switched away from its default, the rest as it is. Not here: the limit per document and sections in place of
 * passages, which change no order of documents.
 */
const VARIANTS: Readonly<Record<string, Variant>> = {
  'reciprocal ranks instead of the weighted sum': { search: { fusion: 'rrf' } },
  'query types off': { search: { adaptive_weights_enabled: false } },
  'weights by words found off': { search: { advanced: { coverage_weights_enabled: false } } },
  'variance weights on': { search: { advanced: { dynamic_weights_enabled: true } } },
  'names in other forms not found': { search: { name_forms_enabled: false } },
  'misspelt words read as they stand': { search: { spelling_enabled: false } },
  'feedback of the best off': { search: { advanced: { feedback_weight: 0 } } },
  'query expansion on': { search: { query_expansion_enabled: true } },
  'synonyms on': { search: { synonyms_enabled: true } },
  'code lane off': { search: { code_search_enabled: false } },
  'document lane off': { search: { document_weight: 0 } },
  'title lane off': { search: { title_weight: 0 } },
  'document meaning off': { search: { subject_weight: 0 } },
  'file name off': { search: { name_weight: 0 } },
  'heading off': { search: { heading_weight: 0 } },
  'nearness off': { search: { nearness_weight: 0 } },
  'all four off': {
    search: { subject_weight: 0, name_weight: 0, heading_weight: 0, nearness_weight: 0 },
  },
  'exact matches where they fall': { search: { exact_first_enabled: false } },
  'links off': { search: { graph_weight: 0 } },
  'communities on': { search: { advanced: { community_detection_enabled: true } } },
  'recency off': { search: { recency_bias: 0 } },
  'exact duplicates kept': { search: { content_dedup_enabled: false } },
  'near duplicates kept': { search: { ngram_dedup_enabled: false } },
  'semantic duplicates removed': { search: { dedup_enabled: true } },
  'MMR on': { search: { mmr_enabled: true } },
  'MMR on, λ by type of query': { search: { mmr_enabled: true, mmr_by_query_type: true } },
  'the question as its own hypothesis': {
    ask: (index, query, { mode: _, ...options }) => index.searchWithHypothesis(query, options),
  },
};

const USAGE = `usage: node bench/ablation.ts <folder of judged sets> <set or path of one…>
  --reranker folder   a cross-encoder, for a line on reranking
  --indexes folder    keep and reuse the index of each set there
  --only text,text    only variants whose name holds one of them; the page is left alone
Sets with links, for the lines on links, communities and recency, are made by bench/graph-pairs.ts.`;
const PAGE = join(import.meta.dirname, '..', 'docs', 'explain', 'quality.md');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    reranker: { type: 'string' },
    indexes: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const [root, ...paths] = positionals;
if (root === undefined || paths.length === 0) throw new Error(USAGE);
const sets = paths.map((path) => basename(path));
const pathOf = new Map(paths.map((path) => [basename(path), resolve(root, path)]));
const reranking: Readonly<Record<string, Variant>> = values.reranker
  ? { 'reranking on': { search: { rerank_enabled: true, rerank_model: resolve(values.reranker) } } }
  : {};

const work = await mkdtemp(join(tmpdir(), 'docfuse-ablation-'));
const baseline = new Map<string, number>();
for (const set of sets) baseline.set(set, (await measure(set, {}, 'write')).ndcg10);

const rows: { variant: string; cells: { set: string; difference: number; pValue: number }[] }[] = [];
for (const [variant, change] of Object.entries({ ...VARIANTS, ...reranking })) {
  if (!values.only.split(',').some((part) => variant.includes(part))) continue;
  const cells = [];
  for (const set of sets) {
    const { difference, pValue } = await measure(set, change, 'compare');
    cells.push({ set, difference, pValue });
  }
  rows.push({ variant, cells });
  console.error(variant);
}
await rm(work, { recursive: true });

const table = markdown();
console.log(table);
if (values.only === '') {
  const page = await readFile(PAGE, 'utf8');
  const [before, after] = [page.split('<!-- ablation:begin -->')[0], page.split('<!-- ablation:end -->')[1]];
  await writeFile(PAGE, `${before}<!-- ablation:begin -->\n${table}\n<!-- ablation:end -->${after}`);
  await keep('ablation', { baseline: Object.fromEntries(baseline), rows });
}

async function measure(set: string, { search, ask }: Variant, run: 'write' | 'compare') {
  const file = join(work, `${set}.trec`);
  const { modes } = await evaluate({
    set: pathOf.get(set)!,
    open: {
      ...(search && { settings: { search } }),
      ...(values.indexes !== undefined && { indexPath: join(values.indexes, set) }),
    },
    ...(ask && { ask }),
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
  const figures = sets.map((set) => baseline.get(set)!);
  return markdownTable([
    ['nDCG@10, hybrid', ...sets, 'mean'],
    ['**defaults**', ...[...figures, mean(figures)].map((figure) => figure.toFixed(4))],
    ...rows.map(({ variant, cells }) => [
      variant,
      ...cells.map(testedPoints),
      points(mean(cells.map(({ difference }) => difference))),
    ]),
  ]);
}
