/** Converts filters from the form that programs and users give to the form that the index applies. */
import { DocfuseError } from '../core/errors.ts';
import type { Filters as AppliedFilters } from '../core/model/query.ts';
import { isoDate } from '../core/text/dates.ts';

/**
 * A point in time: `2026-01-31` or any ISO 8601 date or time (UTC if it has no zone), `7d` or `3w` for days or weeks before now,
 * a `Date`, or milliseconds since 1970.
 */
export type FilterTime = string | number | Date;

/** Which documents and passages to search. One value of each filter must match, and all given filters must match. */
export interface Filters {
  readonly collection?: readonly string[];
  /** Globs, folders or files, relative to a collection or absolute. */
  readonly path?: readonly string[];
  /** Globs, folders or files to leave out, written as in `path`. */
  readonly exclude?: readonly string[];
  /** Tags. A tag also finds its nested tags: `a` finds `a/b`. */
  readonly tag?: readonly string[];
  /** Values of `category` in front matter. */
  readonly category?: readonly string[];
  /** Values of `author` in front matter. */
  readonly author?: readonly string[];
  /** Earliest date, inclusive. The date of a document is that in its front matter, else the time of its file. */
  readonly after?: FilterTime;
  /** Latest date, exclusive. */
  readonly before?: FilterTime;
  /** Programming languages. A passage must have a code block in one of them. */
  readonly lang?: readonly string[];
  /** Values of front matter fields by name. A list in the front matter matches if one of its members does. */
  readonly where?: Readonly<Record<string, string | readonly string[]>>;
}

export type Applied<Options> = Omit<Options, 'filters'> & { readonly filters?: AppliedFilters };

/**
 * @param now milliseconds since 1970; `7d` is seven days earlier
 * @param place what a message calls the filters
 * @throws {DocfuseError} `usage` for an invalid date
 */
export function applyFilters(filters: Filters, now: number, place = 'filters'): AppliedFilters {
  const { after, before, where, ...lists } = filters;
  const given = Object.entries(lists).filter(([, values]) => values !== undefined && values.length > 0);
  const pairs = Object.entries(where ?? {}).flatMap(([key, values]) =>
    [values].flat().map((value) => ({ key, value })),
  );
  return {
    ...(Object.fromEntries(given) as typeof lists),
    ...(after === undefined ? {} : { after: toTime(`${place}.after`, after, now) }),
    ...(before === undefined ? {} : { before: toTime(`${place}.before`, before, now) }),
    ...(where && { where: pairs }),
  };
}

/** Whether a text is a valid date for filters. */
export function isTime(text: string): boolean {
  return Number.isFinite(readTime(text, 0));
}

const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { d: DAY, w: 7 * DAY };

function toTime(field: string, time: FilterTime, now: number): number {
  const milliseconds = typeof time === 'string' ? readTime(time, now) : Number(time);
  if (Number.isFinite(milliseconds)) return milliseconds;
  throw new DocfuseError(
    'usage',
    `${field}: “${time}” is not a date.`,
    'Write it as 2026-01-31, or as 7d or 3w for days or weeks back from now.',
  );
}

/** Returns a time in milliseconds since 1970; `NaN` if the text is no time. */
function readTime(text: string, now: number): number {
  const relative = /^(\d{1,5})([dw])$/.exec(text.trim());
  if (relative) return now - Number(relative[1]) * UNITS[relative[2]!]!;
  const iso = isoDate(text);
  return iso === undefined ? Number.NaN : Date.parse(iso);
}
