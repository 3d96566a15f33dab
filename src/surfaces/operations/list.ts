/** Operations that list what the index contains: `list`, `list_tags`, `list_collections`, `graph` and `map`. */
import * as z from 'zod';
import { LIST_ORDERS } from '../../engine/documents/documents-api.ts';
import { defineOperation } from './operation.ts';
import {
  collectionShape,
  count,
  documentNameShape,
  documentShape,
  filtered,
  filtersShape,
  listOf,
} from './shapes.ts';
import { fromWire, toWire } from './wire.ts';

/** Max documents of one answer; enough for a whole index. */
export const MAX_LISTED = 1_000_000;

export const listDocuments = defineOperation({
  name: 'list',
  summary: 'List the documents of the index',
  input: () => ({
    filters: filtersShape.optional().describe('Documents to list.'),
    sort: z.enum(LIST_ORDERS).optional().describe('By path, by title, or the newest first (default: path).'),
    limit: count(MAX_LISTED).describe('Max documents in one answer (default: 50).'),
    cursor: z.string().optional().describe('The next_cursor of the previous answer, to continue there.'),
  }),
  output: () => ({
    documents: z.array(documentShape).describe('Sorted as requested.'),
    total: z.int().describe('Number of documents that pass the filters.'),
    next_cursor: z.string().optional().describe('Absent in the last answer.'),
    notice: z.string().optional().describe('Why there are no documents.'),
  }),
  ...filtered,
  http: { path: '/api/documents' },
  mcp: {
    name: 'list_documents',
    arguments: ['filters', 'limit', 'cursor'],
    defaults: { limit: 30 },
    answer: () =>
      z.object({
        documents: z.array(
          z.object(documentShape.pick({ document_id: true, title: true, tags: true, modified: true }).shape),
        ),
        total: z.int(),
        next_cursor: z.string().optional(),
        notice: z.string().optional(),
      }),
    description:
      'Lists all pages, or those with a tag, in a folder or from a period. To search what they say, use query_documents.',
  },
  async run(context, options, { signal }) {
    await using index = await context.open();
    return toWire(await index.list({ ...fromWire(options), signal }));
  },
});

export const listTags = defineOperation({
  name: 'list_tags',
  summary: 'List the tags of documents, the most frequent first',
  input: () => ({
    filters: filtersShape.optional().describe('Documents whose tags to list.'),
    limit: z.int().min(1).optional().describe('Max tags (default: all).'),
  }),
  output: () => ({ tags: listOf({ tag: z.string(), documents: z.int() }) }),
  ...filtered,
  cli: { command: ['list', 'tags'], ...filtered.cli },
  http: { path: '/api/tags' },
  async run(context, { limit, ...options }, { signal }) {
    await using index = await context.open();
    const tags = await index.tags({ ...fromWire(options), signal });
    return { tags: toWire(tags.slice(0, limit)) };
  },
});

export const listCollections = defineOperation({
  name: 'list_collections',
  summary: 'List the collections and their folders',
  output: () => ({ collections: z.array(collectionShape) }),
  readOnly: true,
  cli: { command: ['list', 'collections'], paths: true },
  http: { path: '/api/collections' },
  async run(context, _, { signal }) {
    await using index = await context.open();
    return { collections: toWire(await index.collections({ signal })) };
  },
});

export const linkGraph = defineOperation({
  name: 'graph',
  summary: 'Show which documents are linked, the most linked first',
  input: () => ({
    filters: filtersShape.optional().describe('Documents to show.'),
    limit: count(5000).describe('Max documents, 1–5000 (default: 500).'),
  }),
  output: () => ({
    nodes: listOf({
      ...documentNameShape.shape,
      neighbours: z.int().describe('Number of linked documents, in both directions.'),
      community: z.int().optional().describe('Number of its community; 0 is the largest.'),
    }),
    edges: listOf({ source: z.string(), target: z.string(), weight: z.number() }).describe(
      'Each pair of linked nodes once: their ids, and the weight of the strongest link.',
    ),
    total: z.int().describe('Number of documents that pass the filters.'),
  }),
  ...filtered,
  http: { path: '/api/graph' },
  async run(context, options, { signal }) {
    await using index = await context.open();
    return toWire(await index.graph({ ...fromWire(options), signal }));
  },
});

const position = z.int().min(0);

export const documentMap = defineOperation({
  name: 'map',
  summary: 'Show linked documents as a map of communities',
  input: () => ({
    filters: filtersShape.optional().describe('Documents to show.'),
    limit: count(100_000).describe('Max documents, the most linked first, 1–100000 (default: 20000).'),
    wait: z.boolean().default(true).describe('Wait until the places are computed.'),
  }),
  output: () => ({
    documents: z
      .strictObject({
        ids: z.array(z.string()),
        titles: z.array(z.string()),
        neighbours: z.array(z.int()).describe('Numbers of linked documents, in both directions.'),
        communities: z.array(z.int()).describe('Positions in the list of communities; -1 for none.'),
        x: z.array(z.number()),
        y: z.array(z.number()),
      })
      .describe('One entry per document in each list, the most linked document first.'),
    links: z
      .strictObject({ sources: z.array(position), targets: z.array(position) })
      .describe('Each linked pair once, as two positions in the lists of documents.'),
    communities: listOf({
      document_id: z.string().describe('Its most linked document.'),
      title: z.string(),
      documents: z.int(),
    }).describe('All communities, the largest first.'),
    total: z.int().describe('Number of linked documents that pass the filters.'),
    unlinked: z.int().describe('Number of documents that pass the filters and have no links.'),
    is_final: z
      .boolean()
      .describe('Whether places were computed from the current links; otherwise they are rough.'),
  }),
  ...filtered,
  http: { path: '/api/map' },
  async run(context, options, { signal }) {
    await using index = await context.open();
    return toWire(await index.map({ ...fromWire(options), signal }));
  },
});
