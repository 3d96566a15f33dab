/** Describes filters as users type them, for notices. */
import type { Filters } from '../model/query.ts';
import { plural } from '../text/format-numbers.ts';
import { FILTER_KEYS, type FilterField } from './syntax.ts';

/** Max number of alternatives that a name holds. */
export const MAX_ALTERNATIVES = 3;

/** One filter; its name is the filter as typed, or its first alternatives. */
export interface NamedFilter {
  readonly name: string;
  readonly filter: Filters;
}

type ListKey = 'collection' | (typeof FILTER_KEYS)[FilterField][number];

const PREFIXES: readonly (readonly [ListKey, prefix: string])[] = [
  ['collection', 'collection:'],
  ...Object.entries(FILTER_KEYS).flatMap(([field, [key, negated]]): [ListKey, string][] => [
    [key, `${field}:`],
    [negated, `-${field}:`],
  ]),
];

/** Splits filters into single filters with names. Alternatives of one filter stay together. */
export function describeFilters(filters: Filters): readonly NamedFilter[] {
  const lists = PREFIXES.flatMap(([key, prefix]): NamedFilter[] => {
    const values = filters[key] ?? [];
    if (values.length === 0) return [];
    return [
      { name: alternatives(values.map((value) => `${prefix}${quoted(value)}`)), filter: { [key]: values } },
    ];
  });
  const { where = [] } = filters;
  return [
    ...lists,
    ...describeDates(filters),
    ...[...Map.groupBy(where, ({ key }) => key).values()].map((pairs) => ({
      name: alternatives(pairs.map(({ key, value }) => `${key}=${quoted(value)}`)),
      filter: { where: pairs },
    })),
  ];
}

/** Describes the date filters. If no date can pass both, returns both as one filter, because only their combination is wrong. */
function describeDates({ after, before }: Filters): readonly NamedFilter[] {
  const from = after === undefined ? [] : [{ name: `after ${day(after)}`, filter: { after } }];
  const until = before === undefined ? [] : [{ name: `before ${day(before)}`, filter: { before } }];
  if (after === undefined || before === undefined || after < before) return [...from, ...until];
  return [{ name: `after ${day(after)} and before ${day(before)}`, filter: { after, before } }];
}

function alternatives(names: readonly string[]): string {
  const others = names.length - MAX_ALTERNATIVES;
  return [...names.slice(0, MAX_ALTERNATIVES), ...(others > 0 ? [plural(others, 'other')] : [])].join(' or ');
}

function quoted(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}

function day(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().slice(0, 10);
}
