/** Operation `related`: documents that are related to a document by links, community or meaning. */
import * as z from 'zod';
import { LINK_DIRECTIONS, type LinkedDocument } from '../../engine/documents/documents-api.ts';
import type { Immutable } from '../../engine/wire-names.ts';
import { defineOperation } from './operation.ts';
import { documentNameShape, documentShape, hitShape, listOf } from './shapes.ts';
import { toWire } from './wire.ts';

const MAX_LINKED = 20;
/** Max line numbers of links in a tool's answer, for each linked document and direction. */
const MAX_LINES = 5;
const shortName = z.object(documentNameShape.pick({ document_id: true, title: true }).shape);

type Linked = Pick<LinkedDocument, 'distance' | 'links'>;
interface Related {
  readonly linked: readonly Linked[];
  readonly community?: { readonly members: readonly unknown[] };
}

const shortRelated = () =>
  z.object({
    linked: z.array(shortName.extend({ link: z.string() })),
    linked_count: z.int(),
    community: z.array(shortName).optional(),
    similar: z.array(shortName.extend({ similarity: z.number() })),
    notice: z.string().optional(),
  });
export type ShortRelated = Immutable<z.output<ReturnType<typeof shortRelated>>>;

export const relatedDocuments = defineOperation({
  name: 'related',
  summary: 'Show documents that are linked with a document or similar to it',
  input: () => ({
    document: z.string().min(1).describe('Id, path, file name or title, or the chunk_id of a passage.'),
    depth: z.int().min(1).max(3).default(1).describe('Links to follow, 1–3 (default: 1).'),
    direction: z
      .enum(LINK_DIRECTIONS)
      .default('both')
      .describe('Links of the document, links to it, or both (default: both).'),
  }),
  output: () => ({
    document: documentShape,
    linked: listOf({
      ...documentNameShape.shape,
      distance: z.int().min(1).max(3),
      links: listOf({
        direction: z.enum(['out', 'in']),
        kind: z.enum(['wikilink', 'transclusion', 'relative', 'related']),
        source: z.string().describe('Id of the document that contains the link.'),
        line: z.int().describe('Line of the link in that document.'),
      }),
    }).describe('By `distance`, each with its links to documents one link nearer to the document.'),
    linked_count: z.int().describe('Number of linked documents; at most 100 are listed.'),
    community: z
      .strictObject({ documents: z.int(), members: z.array(documentNameShape) })
      .optional()
      .describe('Documents that link to each other more than to others; members are the most linked.'),
    similar: listOf({
      ...documentNameShape.shape,
      similarity: z.number().describe('Cosine.'),
      ...hitShape.pick({ start_line: true, end_line: true, heading_path: true }).shape,
    }).describe(
      'Documents with a passage of nearly the same meaning as the document, or as the lines or passage given.',
    ),
    notice: z.string().optional().describe('Why similar documents could not be searched for.'),
  }),
  readOnly: true,
  needsIndex: true,
  cli: { arguments: ['document'], paths: true },
  http: { path: '/api/related' },
  mcp: {
    name: 'related_documents',
    arguments: ['document', 'depth', 'direction'],
    answer: shortRelated,
    shorten: ({ linked, community, ...rest }: Related) => ({
      ...rest,
      linked: linked.slice(0, MAX_LINKED).map((each) => ({ ...each, link: linkOf(each) })),
      ...(community && { community: community.members }),
    }),
    description: 'Use it to go on from a page you found; for a topic use query_documents.',
  },
  async run(context, { document, ...options }, { signal }) {
    await using index = await context.open();
    return toWire(await index.related(document, { ...options, paths: context.paths, signal }));
  },
});

/** Says which of the two documents links to the other, and where. `here` is the document that was asked for. */
function linkOf({ links, distance }: Linked): string {
  const [{ direction, source, line }] = links as readonly [Linked['links'][number]];
  if (distance > 1) {
    const way = direction === 'in' ? `links towards here at line ${line}` : `linked from ${source}:${line}`;
    return `${way}, ${distance} links away`;
  }
  const ways = Map.groupBy(links, (link) => (link.direction === 'in' ? 'links here' : 'linked from here'));
  return [...ways].map(([way, places]) => `${way} at line ${linesOf(places)}`).join(', ');
}

function linesOf(links: Linked['links']): string {
  const lines = [...new Set(links.map(({ line }) => line))];
  return [...lines.slice(0, MAX_LINES), ...(lines.length > MAX_LINES ? ['…'] : [])].join(', ');
}
