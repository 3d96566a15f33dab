/** Operation `search`: passages that answer a query. */
import { z } from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { QUERY_TYPES, SEARCH_MODES, type SearchMode } from '../../core/model/query.ts';
import type { Index, SyncOptions } from '../../engine/api.ts';
import { filtersShape, toFilters } from './filters.ts';
import { defineOperation } from './operation.ts';
import { hitShape, indexShape, statsShape, weightsShape } from './shapes.ts';
import { fromWire, toWire } from './wire.ts';

export const search = defineOperation({
  name: 'search',
  summary: 'Find the passages that answer a query',
  description:
    'Brings the index up to date first, which is cheap when nothing changed. ' +
    'The query may hold "exact phrases", -excluded words, prefix*, and title:, tag:, path:, author:, category:, lang:.',
  input: z.strictObject({
    query: z.string().describe('A question, words, or code.'),
    top_n: z.int().min(1).max(100).optional().describe('Hits to return, 1–100 (default: 5).'),
    mode: z.enum(SEARCH_MODES).optional().describe('How to look (default: hybrid).'),
    filters: filtersShape.optional().describe('What to look in.'),
    min_confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Leave out hits below this confidence, 0–1 (default: 0.3).'),
    explain: z.boolean().default(false).describe('Say how each score came about.'),
    sync: z.boolean().default(true).describe('Bring the index up to date first.'),
    wait: z.boolean().default(true).describe('Wait until new passages can be found by meaning too.'),
  }),
  output: z.strictObject({
    query: z.string(),
    mode: z.enum(SEARCH_MODES),
    query_type: z.enum(QUERY_TYPES),
    weights: weightsShape,
    hits: z.array(hitShape),
    stats: statsShape,
    timings_ms: z.record(z.string(), z.number()),
    index: indexShape,
    notice: z.string().optional().describe('One sentence the reader must know.'),
  }),
  cli: {
    arguments: ['query'],
    short: { top_n: 'n' },
    values: { path: 'glob', exclude: 'glob', after: 'date', before: 'date' },
    paths: true,
  },
  async run(context, { query, filters, sync, wait, ...options }, control) {
    const chosen = toFilters(filters, context.now());
    await using index = await context.open();
    const embed = wait && usesVectors(options.mode);
    const fresh = !sync || (await bringUpToDate(index, { embed, ...control }));
    const { signal } = control;
    const result = await index.search(query, {
      ...fromWire(options),
      filters: chosen,
      ...(signal === undefined ? {} : { signal }),
    });
    const notices = [fresh ? undefined : BUSY, result.notice].filter((notice) => notice !== undefined);
    return { ...toWire(result), ...(notices.length > 0 && { notice: notices.join(' ') }) };
  },
});

const BUSY = 'Another process is writing the index; this answer is from what it holds so far.';

/** False when another process is doing it; an answer from what is there beats none. */
async function bringUpToDate(index: Index, options: SyncOptions): Promise<boolean> {
  try {
    await index.sync(options);
    return true;
  } catch (error) {
    if (error instanceof DocfuseError && error.code === 'index_busy') return false;
    throw error;
  }
}

/** Words and code are found without vectors, so nobody need wait for them. */
function usesVectors(mode: SearchMode | undefined): boolean {
  return mode !== 'keyword' && mode !== 'code';
}
