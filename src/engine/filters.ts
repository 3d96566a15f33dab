/** Filters as a program or a user gives them, and as the index applies them. */
import { DocfuseError } from '../core/errors.ts';
import type { Filters as AppliedFilters } from '../core/model/query.ts';
import { isoDate } from '../core/text/dates.ts';

/**
 * A point in time: `2026-01-31` or any ISO 8601 date or time (UTC where it names no zone), `7d` or `3w` for days or weeks back
 * from now, a `Date`, or milliseconds since 1970.
 */
export type FilterTime = string | number | Date;

/** What to look in. Values of one filter are alternatives; different filters must all hold. @default everything, for each */
export interface Filters {
  /** Names of collections. */
  readonly collection?: readonly string[];
  /** Globs, or folders and files, inside a collection or absolute. */
  readonly path?: readonly string[];
  /** What must not match, written as for `path`. */
  readonly exclude?: readonly string[];
  /** Tags; nested ones match their ancestors: `a` finds `a/b`. */
  readonly tag?: readonly string[];
  /** Values of `category` in front matter. */
  readonly category?: readonly string[];
  /** Values of `author` in front matter. */
  readonly author?: readonly string[];
  /** From then on, inclusive, by the date of the front matter, else of the file. */
  readonly after?: FilterTime;
  /** Before then, exclusive. */
  readonly before?: FilterTime;
  /** Languages of code, of which a passage must have a block. */
  readonly lang?: readonly string[];
  /** Values of any field of the front matter, by its name; a field that is a list matches if one of its members does. */
  readonly where?: Readonly<Record<string, string | readonly string[]>>;
}

/** Options whose filters can be applied. */
export type Applied<Options> = Omit<Options, 'filters'> & { readonly filters?: AppliedFilters };

/**
 * @param now milliseconds since 1970 that `7d` counts back from
 * @throws {DocfuseError} `usage` for an invalid date
 */
export function applyFilters(filters: Filters, now: number): AppliedFilters {
  const { after, before, where, ...lists } = filters;
  const given = Object.entries(lists).filter(([, values]) => values !== undefined && values.length > 0);
  return {
    ...(Object.fromEntries(given) as typeof lists),
    ...(after === undefined ? {} : { after: toTime('after', after, now) }),
    ...(before === undefined ? {} : { before: toTime('before', before, now) }),
    ...(where === undefined ? {} : { where: toPairs(where) }),
  };
}

/** Whether a text is a valid date for filters; needs no open index. */
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
    `The ${field} date “${time}” is not a date.`,
    'Write it as 2026-01-31, or as 7d or 3w for days or weeks back from now.',
  );
}

/** `NaN` for a text that is no time. */
function readTime(text: string, now: number): number {
  const relative = /^(\d{1,5})([dw])$/.exec(text.trim());
  if (relative) return now - Number(relative[1]) * UNITS[relative[2]!]!;
  const iso = isoDate(text);
  return iso === undefined ? Number.NaN : Date.parse(iso);
}

function toPairs(where: NonNullable<Filters['where']>): NonNullable<AppliedFilters['where']> {
  return Object.entries(where).flatMap(([key, values]) => [values].flat().map((value) => ({ key, value })));
}
