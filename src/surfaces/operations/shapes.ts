/** Shapes that several operations share: fields of inputs, such as filters, and parts of answers, in wire names. */
import * as z from 'zod';
import { SKIP_REASONS } from '../../core/model/formats.ts';
import { CONFIDENCE_WORDS } from '../../core/model/hit.ts';
import { MAX_ASKED } from '../../engine/check-options.ts';
import { isTime } from '../../engine/filters.ts';

/** The text of a query, a question or a hypothesis. */
export const askedText = z.string().max(MAX_ASKED);

/** A whole number from 1; may be left out. */
export const count = (max: number) => z.int().min(1).max(max).optional();

/** A number from 0 to 1; may be left out. */
export const proportion = z.number().min(0).max(1).optional();

/** A switch that is off unless it is given. */
export const flag = (description: string) => z.boolean().default(false).describe(description);

export const judgedSets = z
  .array(z.string())
  .default([])
  .describe('Folders of judged sets (default: the set that docfuse judge saves).');

const list = (description: string) => z.array(z.string().min(1)).optional().describe(description);
const date = (description: string) =>
  z.string().refine(isTime, { error: noDate }).optional().describe(description);

function noDate({ input }: { readonly input?: unknown }): string {
  return `“${input}” is neither a date such as 2026-01-31 nor a number of days or weeks ago such as 7d or 3w`;
}

export const filterValues = { path: 'glob', exclude: 'glob', after: 'date', before: 'date' } as const;

/** What operations have in common that list the documents which pass the filters. */
export const filtered = {
  readOnly: true,
  needsIndex: true,
  cli: { short: { limit: 'n' }, values: filterValues, paths: true },
} as const;

/** A list of objects that have these fields and no others. */
export const listOf = <Fields extends z.ZodRawShape>(fields: Fields) => z.array(z.strictObject(fields));

/** The values of one filter are alternatives; different filters must all match. */
export const filtersShape = z.strictObject({
  collection: list('Only documents of this collection.'),
  path: list('Only paths that match this glob or lie under this folder.'),
  exclude: list('No paths that match this glob or lie under this folder.'),
  tag: list('Only documents with this tag or one below it.'),
  category: list('Only documents of this category.'),
  author: list('Only documents by this author.'),
  after: date('Only documents since this date, such as 2026-01-31, 7d (7 days ago) or 3w (3 weeks ago).'),
  before: date('Only documents before this date, written the same way.'),
  lang: list('Only passages with code in this language.'),
  where: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('Only documents whose front matter field has this value.'),
});

/** Two numbers. A tuple would put a bare `false` into the JSON Schema, which some MCP clients reject. */
const lines = z.array(z.int()).length(2) as unknown as z.ZodType<[number, number], [number, number]>;

/** A number with a label, and the parts from which it is computed. */
const explanationShape = z.strictObject({
  label: z.string(),
  value: z.number(),
  weight: z.number().optional(),
  get parts() {
    return z.array(explanationShape).optional();
  },
});

/** One passage that answers a query. */
export const hitShape = z.strictObject({
  rank: z.int().min(1),
  score: z.number().min(0).max(1).describe('Confidence.'),
  confidence: z.enum(CONFIDENCE_WORDS).describe('How far to trust the hit.'),
  chunk_id: z.string(),
  document_id: z.string(),
  collection: z.string(),
  path: z.string().describe('Relative to the root of its collection, with `/`.'),
  title: z.string(),
  heading_path: z.array(z.string()).describe('The title, then the headings from the outermost down.'),
  start_line: z.int().min(1),
  end_line: z.int().min(1),
  text: z.string(),
  snippet: z.strictObject({
    text: z.string(),
    start_line: z.int().min(1).describe('Line of the file on which the snippet begins.'),
    matches: z.array(lines).describe('UTF-16 ranges of `text`: start inclusive, end exclusive.'),
    code: z.boolean().optional().describe('Whether the snippet is code from a code block, not Markdown.'),
  }),
  line: z.int().min(1).describe('Line of the file that matches best.'),
  page: z.int().min(1).optional().describe('Page of this line, in a file with pages.'),
  file: z.string().optional().describe('Absolute path; absent for a commit.'),
  parent_id: z.string().optional(),
  matched_lines: lines
    .optional()
    .describe('Lines of the passage that was found, if text is the larger section around it.'),
  tags: z.array(z.string()),
  modified: z.string().describe('ISO 8601, UTC.'),
  code_language: z.string().optional(),
  merged: listOf({
    chunk_id: z.string(),
    document_id: z.string(),
    path: z.string(),
    start_line: z.int().min(1),
  })
    .optional()
    .describe('Duplicates that this hit represents, the best first.'),
  explanation: explanationShape.optional(),
});

export const documentShape = z.strictObject({
  document_id: z.string().describe('`<collection>/<path>`.'),
  collection: z.string(),
  path: z.string().describe('Relative to the root of its collection, with `/`.'),
  title: z.string(),
  tags: z.array(z.string()),
  modified: z.string().describe('Date of the front matter, else time of the file; ISO 8601 UTC.'),
  front_matter: z.record(z.string(), z.unknown()),
  chunks: z.int(),
  links_out: z.int().describe('Links to other documents.'),
  links_in: z.int().describe('Links from other documents to this document.'),
});

/** The fields that identify a document and show it. */
export const documentNameShape = documentShape.pick({
  document_id: true,
  collection: true,
  path: true,
  title: true,
});

export const collectionShape = z.strictObject({ name: z.string(), root: z.string(), documents: z.int() });

/** The index from which an answer comes, and the model that answered. */
export const indexShape = z.strictObject({
  documents: z.int(),
  chunks: z.int(),
  embedded: z.int().describe('Passages with vectors, which can be found by meaning.'),
  model: z.string(),
  updated: z.string().optional().describe('When the index was last brought up to date, ISO 8601 UTC.'),
  stale: z.boolean().describe('Whether some passages have no vector yet; changed files do not count.'),
});

/** The index. If it has two models, also the progress of each. If a late replica answers, also its age. */
export const indexStateShape = indexShape.extend({
  models: listOf({ model: z.string(), embedded: z.int(), of: z.int() }).optional(),
  behind_seconds: z
    .number()
    .optional()
    .describe('Age of the newest change that the replica has applied; present if it may lack newer ones.'),
});

/** A file that was not indexed. */
export const skippedShape = z.strictObject({
  path: z.string(),
  reason: z.enum(SKIP_REASONS),
  detail: z.string().optional(),
});

/** A problem in a file that was indexed anyway. */
export const warningShape = z.strictObject({ path: z.string(), message: z.string() });
