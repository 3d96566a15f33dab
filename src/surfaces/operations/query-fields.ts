/** Fields of inputs that several operations share: the text of a query, filters, numbers. */
import * as z from 'zod';
import { isTime } from '../../engine/filters.ts';

/**
 * The longest text, in UTF-16 units. The model reads the first few hundred words, and ONNX Runtime 1.30 crashes in a process
 * whose arguments are longer than about twice this, so the command line refuses more before it loads anything.
 */
export const MAX_ASKED = 16_000;

/** The text of a query, a question or a hypothesis. */
export const askedText = z.string().max(MAX_ASKED);

/** From 1 to `max`. */
export const count = (max: number) => z.int().min(1).max(max);

/** From 0 to 1. */
export const proportion = z.number().min(0).max(1);

const list = (description: string) => z.array(z.string().min(1)).optional().describe(description);
const date = (description: string) =>
  z.string().refine(isTime, { error: noDate }).optional().describe(description);

function noDate({ input }: { readonly input?: unknown }): string {
  return `“${input}” is not a date, written 2026-01-31, or 7d or 3w for days or weeks back from now`;
}

/** Names of filter values in help and completion. */
export const filterValues = { path: 'glob', exclude: 'glob', after: 'date', before: 'date' } as const;

/** Lists within a filter are alternatives; different filters must all hold. */
export const filtersShape = z.strictObject({
  collection: list('Only documents of this collection.'),
  path: list('Only paths that match this glob or lie under this folder.'),
  exclude: list('No paths that match this glob or lie under this folder.'),
  tag: list('Only documents with this tag or one below it.'),
  category: list('Only documents of this category.'),
  author: list('Only documents by this author.'),
  after: date('Only documents from this date on: 2026-01-31, or 7d, 3w for the last days or weeks.'),
  before: date('Only documents before this date, written likewise.'),
  lang: list('Only passages with code in this language.'),
  where: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('Only documents whose front matter field has this value.'),
});
