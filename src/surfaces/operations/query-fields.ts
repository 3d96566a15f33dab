/** Fields of inputs that several operations share: the text of a query, filters, numbers. */
import * as z from 'zod';
import { isTime } from '../../engine/filters.ts';

/**
 * Max length of a query, in UTF-16 units. The model reads only the first few hundred words. ONNX Runtime 1.30 crashes in a
 * process whose arguments are about twice this long, so the command line checks the length before it loads anything.
 */
export const MAX_ASKED = 16_000;

/** The text of a query, a question or a hypothesis. */
export const askedText = z.string().max(MAX_ASKED);

/** A whole number from 1 to `max`. */
export const count = (max: number) => z.int().min(1).max(max);

/** A number from 0 to 1. */
export const proportion = z.number().min(0).max(1);

const list = (description: string) => z.array(z.string().min(1)).optional().describe(description);
const date = (description: string) =>
  z.string().refine(isTime, { error: noDate }).optional().describe(description);

function noDate({ input }: { readonly input?: unknown }): string {
  return `“${input}” is neither a date such as 2026-01-31 nor a number of days or weeks ago such as 7d or 3w`;
}

/** Names of filter values in help and completion. */
export const filterValues = { path: 'glob', exclude: 'glob', after: 'date', before: 'date' } as const;

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
