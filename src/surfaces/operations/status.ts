/** Operation `status`: what the index holds and how fresh it is. */
import * as z from 'zod';
import { percentile } from '../../core/evaluate/statistics.ts';
import { defineOperation, type SearchTimes, type ServerFacts } from './operation.ts';
import {
  collectionShape,
  indexShape,
  indexStateShape,
  listOf,
  skippedShape,
  warningShape,
} from './shapes.ts';
import { toWire } from './wire.ts';

const timesShape = z.strictObject({
  count: z.int().describe('Number of searches since the server started.'),
  recent_ms: z.array(z.number()).describe('Milliseconds of each of the last 200 searches, oldest first.'),
  p50_ms: z.number().describe('Half of these searches took at most this time.'),
  p95_ms: z.number().describe('95 % of these searches took at most this time.'),
});

const serverShape = z.strictObject({
  url: z.string(),
  pid: z.int(),
  started: z.string().describe('ISO 8601, UTC.'),
  version: z.string(),
  activity: z
    .strictObject({
      state: z.enum(['idle', 'reading', 'embedding']),
      done: z.int().optional(),
      total: z.int().optional(),
    })
    .describe('Work to keep the index up to date; done and total are files or passages.'),
  requests: z.int().describe('Operations that run or wait, this one included.'),
  searches: z
    .strictObject({
      by_words: timesShape
        .optional()
        .describe('Modes keyword and code; the page uses them at each key press.'),
      with_meaning: timesShape.optional().describe('Modes hybrid and semantic.'),
    })
    .describe('How long searches took; a kind without searches is absent. Queries are not kept.'),
  judging: z.boolean().describe('Whether the page may save grades of hits.'),
  reranking: z.boolean().describe('Whether a model reorders hits, which takes time.'),
  answers: z
    .strictObject({ model: z.string(), host: z.string() })
    .optional()
    .describe(
      'The language model that writes answers, and the host that it runs on; absent if none is set up.',
    ),
});

interface Shortened {
  readonly skipped: readonly unknown[];
  readonly server?: object;
}

const MAX_SKIPPED = 10;

export const status = defineOperation({
  name: 'status',
  summary: 'Show what the index holds and how fresh it is',
  description:
    'Files are not compared with the index. The next search or docfuse index reads the files that changed since the last update.',
  output: () => ({
    index: indexStateShape,
    index_path: z.string(),
    bytes: z.int().describe('Size of the index on disk.'),
    kept_vectors: z.int().describe('Vectors of removed passages, kept in case the passages come back.'),
    collections: z.array(collectionShape),
    links: z.int(),
    unresolved_links: z.strictObject({
      count: z.int(),
      examples: listOf({ path: z.string(), line: z.int(), target: z.string() }),
    }),
    communities: z.strictObject({
      count: z.int(),
      largest: listOf({ documents: z.int(), titles: z.array(z.string()) }),
    }),
    skipped: z.array(skippedShape),
    warnings: z.array(warningShape),
    last_error: z.string().optional(),
    server: serverShape.optional().describe('The server that answered, if one did.'),
  }),
  readOnly: true,
  cli: { paths: true },
  http: { path: '/api/status' },
  mcp: {
    name: 'index_status',
    arguments: [],
    answer: () =>
      z.object({
        index: z.object(indexShape.shape),
        index_path: z.string(),
        collections: z.array(collectionShape),
        skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
        last_error: z.string().optional(),
        server: z.looseObject({}).optional(),
      }),
    shorten: ({ skipped, server, ...rest }: Shortened) => ({
      ...rest,
      skipped: skipped.slice(0, MAX_SKIPPED),
      ...(server && { server: { ...server, searches: undefined } }),
    }),
    description:
      'Use it when an expected page is not found: it says what is indexed, what was left out and how fresh the index is.',
  },
  async run(context, _, { signal }) {
    await using index = await context.open();
    return {
      ...toWire(await index.status({ signal })),
      ...(context.server && { server: serverFacts(context.server()) }),
    };
  },
});

function serverFacts({ searches: { byWords, withMeaning }, ...facts }: ServerFacts) {
  const searches = {
    ...(byWords.count > 0 && { by_words: summarise(byWords) }),
    ...(withMeaning.count > 0 && { with_meaning: summarise(withMeaning) }),
  };
  return { ...facts, searches };
}

function summarise({ count, recentMs }: SearchTimes) {
  return {
    count,
    recent_ms: recentMs,
    p50_ms: percentile(recentMs, 0.5),
    p95_ms: percentile(recentMs, 0.95),
  };
}
