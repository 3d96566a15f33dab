/** Operations `search` and `search_with_hypothesis` (HyDE): find passages of an index by a query or a hypothetical answer. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { QUERY_TYPES, SEARCH_MODES } from '../../core/model/query.ts';
import { LANES } from '../../core/model/ranking-constants.ts';
import type { Index, SearchResult, SyncOptions } from '../../engine/api.ts';
import { PRESET_NAMES } from '../../engine/config/presets.ts';
import { defineOperation, type OperationContext, type OperationControl } from './operation.ts';
import { askedText, count, filtersShape, filterValues, hitShape, indexShape, proportion } from './shapes.ts';
import { shortAnswer, shortenAnswer } from './short-answer.ts';
import { fromWire, toWire } from './wire.ts';

/** Number of candidates after each narrowing stage. */
const statsShape = z.strictObject({
  after_filters: z
    .int()
    .optional()
    .describe('Passages that pass filters, phrases and excluded words; absent without any of these.'),
  original_count: z.int(),
  after_threshold: z.int(),
  after_content_dedup: z.int(),
  after_ngram_dedup: z.int(),
  after_semantic_dedup: z.int(),
  after_document_limit: z.int(),
  after_parents: z
    .int()
    .describe('Candidates after passages are replaced by their sections; the first of them are the hits.'),
  clusters_merged: z.int().describe('Candidates into which duplicates were merged.'),
});

export const search = defineOperation({
  name: 'search',
  summary: 'Find the passages that answer a query',
  description:
    'Brings the index up to date first, which is cheap when nothing changed. ' +
    'The query may hold "exact phrases", -excluded words, prefix*, and title:, tag:, path:, author:, category:, lang:.',
  input: () => ({
    query: askedText.describe('A question, words, or code.'),
    top_n: count(100).describe('Hits to return, 1–100 (default: 5).'),
    mode: z.enum(SEARCH_MODES).optional().describe('Search mode (default: hybrid).'),
    filters: filtersShape.optional().describe('Which documents to search.'),
    min_confidence: proportion.describe(
      'Leave out passages below this confidence, 0–1 (default: 0.24). By default, some unsure passages are shown separately.',
    ),
    per_document: count(100).describe(
      'Max hits from one document, 1–100 (default: search.max_chunks_per_doc).',
    ),
    parents: z.boolean().default(true).describe('Show each hit as the larger section around it.'),
    preset: z
      .enum(PRESET_NAMES)
      .optional()
      .describe('Settings for a kind of documents (default: general, which changes no settings).'),
    rerank: z
      .boolean()
      .default(true)
      .describe('Reorder the first hits by the reranking model, if search.rerank_enabled is true.'),
    explain: z.boolean().default(false).describe('Explain how each score was computed.'),
    sync: z.boolean().default(true).describe('Bring the index up to date first.'),
    wait: z.boolean().default(true).describe('Wait until new passages can be found by meaning too.'),
  }),
  output: () => ({
    query: z.string().optional().describe('Absent for a hypothesis without a query.'),
    hypothesis: z.string().optional().describe('Text that was used for the search instead of the query.'),
    mode: z.enum(SEARCH_MODES),
    query_type: z
      .enum(QUERY_TYPES)
      .optional()
      .describe('Absent if a hypothesis was searched for, or if the query has only filters.'),
    query_sign: z
      .string()
      .optional()
      .describe('Reason for the type, such as `question mark`; absent if nothing in the query shows a type.'),
    weights: z.partialRecord(z.enum(LANES), z.number()),
    hits: z.array(hitShape),
    unsure: z
      .array(hitShape)
      .describe('Passages below the threshold that may answer the query, until three documents are shown.'),
    stats: statsShape,
    timings_ms: z.record(z.string(), z.number()),
    index: indexShape,
    notice: z.string().optional().describe('One sentence the reader must know.'),
  }),
  readOnly: true,
  cli: { arguments: ['query'], short: { top_n: 'n' }, values: filterValues, paths: true },
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
  run: (context, { query, sync, wait, ...options }, control) => {
    // Words and code are found without vectors, so do not wait for vectors.
    const embed = wait && options.mode !== 'keyword' && options.mode !== 'code';
    return answerFresh(context, { sync, embed }, control, (index, signal) =>
      index.search(query, { ...fromWire(options), signal }),
    );
  },
});

export const searchWithHypothesis = defineOperation({
  name: 'search_with_hypothesis',
  summary: 'Find the passages close in meaning to a hypothetical answer',
  description:
    'Write what the answer might say, right or wrong; passages are compared with that text by meaning alone. ' +
    'The query, if given, is not searched for: its words are marked, and its filters, phrases and exclusions apply.',
  input: () => ({
    ...search.input.omit({ mode: true, query: true }).shape,
    query: askedText.optional().describe('The question: its words are marked, and its filters apply.'),
    hypothesis: askedText.describe('A possible answer: find passages close in meaning to this text.'),
  }),
  output: () => search.output.shape,
  readOnly: true,
  cli: {
    arguments: ['query'],
    values: { hypothesis: 'text' },
    paths: true,
    optionOf: { operation: 'search', field: 'hypothesis' },
  },
  http: { path: '/api/hypothesis' },
  mcp: {
    name: 'search_with_hypothesis',
    arguments: ['hypothesis', 'top_n', 'filters'],
    defaults: { parents: false },
    answer: shortAnswer,
    shorten: shortenAnswer,
    description:
      'Use it when query_documents found nothing that fits: write a possible answer, two or three sentences, right or wrong.',
  },
  run: (context, { hypothesis, sync, wait, ...options }, control) =>
    answerFresh(context, { sync, embed: wait }, control, (index, signal) =>
      index.searchWithHypothesis(hypothesis, { ...fromWire(options), signal }),
    ),
});

/**
 * Opens the index, brings it up to date and returns the result of `ask`. If the update fails, a notice in the answer says so.
 * @param embed whether new passages get their vectors before the search
 */
async function answerFresh(
  context: OperationContext,
  { sync, embed }: { readonly sync: boolean; readonly embed: boolean },
  { onText: _, ...control }: OperationControl,
  ask: (index: Index, signal: AbortSignal | undefined) => Promise<SearchResult>,
) {
  await using index = await context.open();
  const failure = sync ? await bringUpToDate(index, { embed, ...control }) : undefined;
  const result = await ask(index, control.signal);
  // Without documents there is no answer, so report why the index is empty.
  if (failure && failure.code !== 'index_busy' && result.index.documents === 0) throw failure;
  const notices = [failure && noticeOf(failure), result.notice].filter((notice) => notice !== undefined);
  return { ...toWire(result), ...(notices.length > 0 && { notice: notices.join(' ') }) };
}

function noticeOf({ code, message }: DocfuseError): string {
  if (code === 'index_busy')
    return 'The index is being brought up to date; this answer is from what it contains so far.';
  return `${message} This answer is from what the index contains.`;
}

/**
 * Brings the index up to date.
 * @returns the error if a process is still writing the index or the index cannot be written; undefined on success
 */
async function bringUpToDate(index: Index, options: SyncOptions): Promise<DocfuseError | undefined> {
  try {
    await index.sync(options);
    return undefined;
  } catch (error) {
    if (error instanceof DocfuseError && ['index_busy', 'storage'].includes(error.code)) return error;
    throw error;
  }
}
