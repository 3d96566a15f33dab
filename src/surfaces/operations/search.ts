/** Operation `search`: passages that answer a query. */
import * as z from 'zod';
import { QUERY_TYPES, SEARCH_MODES, type SearchMode } from '../../core/model/query.ts';
import { PRESET_NAMES } from '../../engine/config/presets.ts';
import { askedText } from './asked-text.ts';
import { filtersShape, filterValues } from './filters.ts';
import { answerFresh } from './fresh-answer.ts';
import { defineOperation } from './operation.ts';
import { hitShape, indexShape, statsShape, weightsShape } from './shapes.ts';
import { shortAnswer, shortenAnswer } from './short-answer.ts';
import { fromWire } from './wire.ts';

export const search = defineOperation({
  name: 'search',
  summary: 'Find the passages that answer a query',
  description:
    'Brings the index up to date first, which is cheap when nothing changed. ' +
    'The query may hold "exact phrases", -excluded words, prefix*, and title:, tag:, path:, author:, category:, lang:.',
  input: () =>
    z.strictObject({
      query: askedText.describe('A question, words, or code.'),
      top_n: z.int().min(1).max(100).optional().describe('Hits to return, 1–100 (default: 5).'),
      mode: z.enum(SEARCH_MODES).optional().describe('How to look (default: hybrid).'),
      filters: filtersShape.optional().describe('What to look in.'),
      min_confidence: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe(
          'Leave out what is below this confidence, 0–1 (default: 0.24). Without it some unsure passages are shown apart.',
        ),
      per_document: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe('Hits from one document at most, 1–100 (default: search.max_chunks_per_doc).'),
      parents: z.boolean().default(true).describe('Show each hit as the larger section around it.'),
      preset: z
        .enum(PRESET_NAMES)
        .optional()
        .describe('Settings for a kind of documents (default: general, the settings as they are).'),
      explain: z.boolean().default(false).describe('Say how each score came about.'),
      sync: z.boolean().default(true).describe('Bring the index up to date first.'),
      wait: z.boolean().default(true).describe('Wait until new passages can be found by meaning too.'),
    }),
  output: () =>
    z.strictObject({
      query: z.string().optional().describe('Absent where a hypothesis came without one.'),
      hypothesis: z.string().optional().describe('What was searched with instead of the query.'),
      mode: z.enum(SEARCH_MODES),
      query_type: z
        .enum(QUERY_TYPES)
        .optional()
        .describe('Absent where that was not looked at: for a hypothesis, and for filters alone.'),
      query_sign: z
        .string()
        .optional()
        .describe('What gave the type away, such as `question mark`; absent where nothing did.'),
      weights: weightsShape,
      hits: z.array(hitShape),
      unsure: z
        .array(hitShape)
        .describe('Passages below the threshold that may answer it, until three documents are shown.'),
      stats: statsShape,
      timings_ms: z.record(z.string(), z.number()),
      index: indexShape,
      notice: z.string().optional().describe('One sentence the reader must know.'),
    }),
  readOnly: true,
  cli: {
    arguments: ['query'],
    short: { top_n: 'n' },
    values: filterValues,
    paths: true,
  },
  http: { path: '/api/search' },
  mcp: {
    name: 'query_documents',
    arguments: ['query', 'top_n', 'mode', 'filters', 'parents', 'explain'],
    defaults: { parents: false },
    answer: shortAnswer,
    shorten: shortenAnswer,
    description:
      'Use it before you answer from memory. The query may hold "exact phrases", -excluded words, prefix*, title:, tag:, path:. ' +
      'For the text around a hit use read_document, for a list of pages list_documents; when no hit fits, search_with_hypothesis.',
  },
  run: (context, { query, sync, wait, ...options }, control) =>
    answerFresh(context, { sync, embed: wait && usesVectors(options.mode) }, control, (index) =>
      index.search(query, {
        ...fromWire(options),
        ...(control.signal === undefined ? {} : { signal: control.signal }),
      }),
    ),
});

/** Words and code are found without vectors, so do not wait for vectors. */
function usesVectors(mode: SearchMode | undefined): boolean {
  return mode !== 'keyword' && mode !== 'code';
}
