/** Operation `read`: the text of a document, or lines of it. */
import * as z from 'zod';
import { defineOperation } from './operation.ts';
import { documentShape } from './shapes.ts';
import { fromWire, toWire } from './wire.ts';

const positive = z.int().min(1).optional();

const linesShape = {
  text: z.string(),
  start_line: z.int().min(1).describe('First line of `text` in the file.'),
  end_line: z.int().min(1),
  last_line: z.int().min(1).describe('Last line of the document.'),
  truncated: z.boolean().describe('Whether max_chars cut the text after end_line.'),
};

export const readDocument = defineOperation({
  name: 'read',
  summary: 'Print a document, or lines of it',
  description:
    'The text is as last indexed, without front matter. Line numbers are those of the file. :START alone reads to the end.',
  input: () => ({
    document: z
      .string()
      .min(1)
      .describe(
        'Id, path, file name or title, also with :START, :START-END or #heading, or the chunk_id of a passage.',
      ),
    start_line: positive.describe('First line, from 1 (default: the first of the text).'),
    end_line: positive.describe('Last line, inclusive (default: the last of the text).'),
    max_chars: positive.describe('Max characters of text; it is cut at the end of a line.'),
  }),
  output: () => ({
    ...documentShape.shape,
    ...linesShape,
    fence: z
      .string()
      .optional()
      .describe('Line that opens the code block in which `text` begins; absent if it begins outside of one.'),
    file: z.string().optional().describe('Absolute path; absent for a commit.'),
  }),
  readOnly: true,
  needsIndex: true,
  cli: { arguments: ['document'], paths: true },
  http: { path: '/api/documents/{document}' },
  mcp: {
    name: 'read_document',
    arguments: ['document', 'start_line', 'end_line', 'max_chars'],
    defaults: { max_chars: 6_000 },
    answer: () =>
      z.object({
        ...documentShape.pick({ document_id: true, title: true, modified: true, front_matter: true }).shape,
        ...linesShape,
      }),
    description:
      'Use it for the lines around a hit, or for a page you know. A long page comes in parts; each says how to continue. ' +
      'To find the right page or lines use query_documents.',
  },
  async run(context, { document, ...lines }, { signal }) {
    await using index = await context.open();
    return toWire(await index.read(document, { ...fromWire(lines), paths: context.paths, signal }));
  },
});

type Lines = z.output<z.ZodObject<typeof linesShape>>;

/** Returns a sentence if the lines have no visible text, such as lines with only components; undefined if they have. */
export function noText({ text, start_line, end_line }: Lines): string | undefined {
  if (text.trim() !== '') return undefined;
  return `The page shows no text in ${start_line === end_line ? 'line' : `lines ${start_line} to`} ${end_line}.`;
}
