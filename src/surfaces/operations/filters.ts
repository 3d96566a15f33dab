/** Filters as a user gives them, and their translation for the engine. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { Filters } from '../../core/model/query.ts';
import { isoDate } from '../../core/text/dates.ts';

const list = (description: string) => z.array(z.string().min(1)).optional().describe(description);
const date = (description: string) => z.string().optional().describe(description);

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

/**
 * Turns wire filters into the engine's.
 * @param now milliseconds since 1970 that `7d` counts back from
 * @throws {DocfuseError} `usage` for a date that is none
 */
export function toFilters(wire: z.output<typeof filtersShape> | undefined, now: number): Filters {
  if (wire === undefined) return {};
  const { after, before, where, ...lists } = wire;
  const given = Object.entries(lists).filter(([, values]) => values !== undefined && values.length > 0);
  return {
    ...(Object.fromEntries(given) as Pick<Filters, 'collection' | 'path' | 'exclude' | 'tag' | 'lang'>),
    ...(after === undefined ? {} : { after: toTime('after', after, now) }),
    ...(before === undefined ? {} : { before: toTime('before', before, now) }),
    ...(where === undefined ? {} : { where: toPairs(where) }),
  };
}

const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { d: DAY, w: 7 * DAY };

function toTime(field: string, text: string, now: number): number {
  const relative = /^(\d{1,5})([dw])$/.exec(text.trim());
  if (relative) return now - Number(relative[1]) * UNITS[relative[2]!]!;
  const iso = isoDate(text);
  if (iso !== undefined) return Date.parse(iso);
  throw new DocfuseError(
    'usage',
    `The ${field} date “${text}” is not a date.`,
    'Write it as 2026-01-31, or as 7d or 3w for days or weeks back from now.',
  );
}

function toPairs(where: Readonly<Record<string, string | readonly string[]>>): NonNullable<Filters['where']> {
  return Object.entries(where).flatMap(([key, values]) => [values].flat().map((value) => ({ key, value })));
}
