/** Says filters as they are typed, so that a notice can name them. */
import type { Filters } from '../model/query.ts';

/** One filter, and how it is typed. */
export interface NamedFilter {
  readonly name: string;
  readonly filter: Filters;
}

const PREFIXES = {
  collection: 'collection:',
  path: 'path:',
  exclude: '-path:',
  tag: 'tag:',
  notTag: '-tag:',
  category: 'category:',
  notCategory: '-category:',
  author: 'author:',
  notAuthor: '-author:',
  lang: 'lang:',
  notLang: '-lang:',
} as const satisfies Partial<Record<keyof Filters, string>>;

/** The filters one by one; alternatives of one filter stay together. */
export function describeFilters(filters: Filters): readonly NamedFilter[] {
  const lists = (Object.keys(PREFIXES) as (keyof typeof PREFIXES)[]).flatMap((key): NamedFilter[] => {
    const values = filters[key] ?? [];
    if (values.length === 0) return [];
    const name = values.map((value) => `${PREFIXES[key]}${quoted(value)}`).join(' or ');
    return [{ name, filter: { [key]: values } }];
  });
  const { where = [] } = filters;
  return [
    ...lists,
    ...describeDates(filters),
    ...[...Map.groupBy(where, ({ key }) => key).values()].map((pairs) => ({
      name: pairs.map(({ key, value }) => `${key}=${quoted(value)}`).join(' or '),
      filter: { where: pairs },
    })),
  ];
}

/** An empty range of dates is one mistake, not two filters. */
function describeDates({ after, before }: Filters): readonly NamedFilter[] {
  const from = after === undefined ? [] : [{ name: `after ${day(after)}`, filter: { after } }];
  const until = before === undefined ? [] : [{ name: `before ${day(before)}`, filter: { before } }];
  if (after === undefined || before === undefined || after < before) return [...from, ...until];
  return [{ name: `after ${day(after)} and before ${day(before)}`, filter: { after, before } }];
}

function quoted(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}

function day(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().slice(0, 10);
}
