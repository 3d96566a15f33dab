/** Reads and writes the address of the page: the query, its filters, and the open document. */
import { SEARCH_MODES, type SearchMode } from '../../core/model/query.ts';
import { PRESET_NAMES, type PresetName } from '../../engine/config/presets.ts';
import { LIST_ORDERS } from '../../engine/documents/documents-api.ts';
import type { AnswerTo } from './session.ts';

/** Filters that the page offers, in the order of the API. */
export const FILTER_FIELDS = [
  'collection',
  'path',
  'exclude',
  'tag',
  'category',
  'author',
  'after',
  'before',
  'lang',
] as const;

export interface Filter {
  readonly field: (typeof FILTER_FIELDS)[number];
  readonly value: string;
}

export type ListOrder = (typeof LIST_ORDERS)[number];

export interface OpenDocument {
  readonly id: string;
  /** Lines to mark: first and last. */
  readonly lines?: readonly [number, number] | undefined;
  /** Heading to show, as a link writes it after `#`. */
  readonly heading?: string | undefined;
}

export const VIEW_NAMES = ['search', 'map', 'status', 'judged'] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

export interface Place {
  readonly view: ViewName;
  readonly query: string;
  readonly mode: SearchMode;
  readonly preset: PresetName;
  readonly sort: ListOrder;
  readonly filters: readonly Filter[];
  readonly document?: OpenDocument | undefined;
}

/** Max length of a query in the address. Node refuses requests whose headers are longer than 16 KiB. */
const MAX_IN_ADDRESS = 6_000;

const START: Place = {
  view: 'search',
  query: '',
  mode: 'hybrid',
  preset: 'general',
  sort: 'date',
  filters: [],
};

/** Reads the part of an address after `?`. Unknown names and values are ignored. */
export function readPlace(search: string): Place {
  const given = new URLSearchParams(search);
  const choice = <T extends string>(name: string, choices: readonly T[], otherwise: T): T =>
    choices.find((each) => each === given.get(name)) ?? otherwise;
  const id = given.get('doc');
  return {
    view: choice('view', VIEW_NAMES, START.view),
    query: given.get('q') ?? '',
    mode: choice('mode', SEARCH_MODES, START.mode),
    preset: choice('preset', PRESET_NAMES, START.preset),
    sort: choice('sort', LIST_ORDERS, START.sort),
    filters: FILTER_FIELDS.flatMap((field) => given.getAll(field).map((value) => ({ field, value }))),
    ...(id && {
      document: { id, lines: readLines(given.get('lines')), heading: given.get('heading') ?? undefined },
    }),
  };
}

/** Writes the address. Leaves out values that equal `START`, and a very long query. */
export function addressOf({ view, query, mode, preset, sort, filters, document }: Place): string {
  const written = new URLSearchParams();
  if (view !== START.view) written.set('view', view);
  if (query !== '' && encodeURIComponent(query).length <= MAX_IN_ADDRESS) written.set('q', query);
  if (mode !== START.mode) written.set('mode', mode);
  if (preset !== START.preset) written.set('preset', preset);
  if (sort !== START.sort) written.set('sort', sort);
  for (const { field, value } of filters) written.append(field, value);
  if (document) written.set('doc', document.id);
  if (document?.lines) written.set('lines', document.lines.join('-'));
  if (document?.heading) written.set('heading', document.heading);
  const text = written.toString();
  // The address is relative, because an exported page may lie in any folder.
  return text === '' ? './' : `./?${text}`;
}

/** Reads a filter such as `tag:auth`; undefined if the text is no filter. */
export function readFilter(text: string): Filter | undefined {
  const [, name, value = ''] = /^\s*(\w+):\s*(.*\S)\s*$/.exec(text) ?? [];
  const field = FILTER_FIELDS.find((each) => each === name);
  return field && value !== '' ? { field, value } : undefined;
}

/** Filters as the API takes them. */
export function filtersOf(filters: readonly Filter[]) {
  if (filters.length === 0) return {};
  const lists = Map.groupBy(filters, ({ field }) => field);
  return {
    filters: Object.fromEntries(
      [...lists].map(([field, all]) => {
        const values = all.map(({ value }) => value);
        return [field, field === 'after' || field === 'before' ? values.at(-1) : values];
      }),
    ),
  };
}

export type Listed = AnswerTo<'/api/documents'>;

/** Number of documents that the list shows at first, and adds at each press of the button. */
export const PAGE = 30;

/** The request for the first part of the list. */
export const inputOfList = ({ filters, sort }: Place) => ({ ...filtersOf(filters), sort, limit: PAGE });

function readLines(text: string | null): readonly [number, number] | undefined {
  const [, from, to] = /^(\d{1,9})-(\d{1,9})$/.exec(text ?? '') ?? [];
  return from === undefined ? undefined : [Number(from), Number(to)];
}
