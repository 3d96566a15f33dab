/** Checks a call before it runs. Wrong options get the same messages as wrong settings and inputs. */
import * as z from 'zod';
import { DocfuseError } from '../core/errors.ts';
import { SEARCH_MODES } from '../core/model/query.ts';
import { aboutValues, knownInside, PLAINLY } from './config/describe-issue.ts';
import { PRESET_NAMES } from './config/presets.ts';
import { LINK_DIRECTIONS, LIST_ORDERS, type ListOptions } from './documents/documents-api.ts';
import { type Applied, applyFilters } from './filters.ts';
import { oneOf } from './nearest.ts';
import type { SyncOptions } from './sync/sync-api.ts';

const whole = (least: number, most = Number.MAX_SAFE_INTEGER) => z.int().min(least).max(most).optional();
const yesOrNo = z.boolean().optional();
const text = z.string().min(1).optional();
const texts = z.array(z.string()).optional();
const names = z.array(z.string().min(1)).optional();
const toCall = z.custom((value) => typeof value === 'function', 'it is not a function');
const called = toCall.optional();
const signal = z.custom((value) => value instanceof AbortSignal, 'it is not an AbortSignal').optional();
// Only the type is checked here: `applyFilters` checks the text of a date.
const time = z
  .custom(
    (value) => typeof value === 'string' || typeof value === 'number' || value instanceof Date,
    'it is not a date',
  )
  .optional();

const filters = z
  .strictObject({
    collection: names,
    path: names,
    exclude: names,
    tag: names,
    category: names,
    author: names,
    after: time,
    before: time,
    lang: names,
    where: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  })
  .optional();

/**
 * Max length of a query, in UTF-16 units. The model reads only the first few hundred words. ONNX Runtime 1.30 crashes in a
 * process whose arguments are about twice this long, so the command line checks the length before it loads anything.
 */
export const MAX_ASKED = 16_000;

const search = z.strictObject({
  topN: whole(1, 100),
  perDocument: whole(1, 100),
  mode: z.enum(SEARCH_MODES).optional(),
  minConfidence: z.number().min(0).max(1).optional(),
  filters,
  parents: yesOrNo,
  explain: yesOrNo,
  rerank: yesOrNo,
  preset: z.enum(PRESET_NAMES).optional(),
  signal,
});

const open = z.strictObject({
  roots: texts,
  corpora: texts,
  config: text,
  indexPath: text,
  preset: z.enum(PRESET_NAMES).optional(),
  cwd: text,
  onGivenBack: called,
  // `loadConfig` checks the settings later: its messages say where a wrong setting comes from.
  settings: z.record(z.string(), z.unknown()).optional(),
});

const named = z.strictObject({ paths: yesOrNo, signal });

const attachRun = z.strictObject({ open, attach: yesOrNo, onReady: called });

const METHODS = {
  open,
  startServer: z.strictObject({
    open,
    host: text,
    port: whole(0, 65_535),
    token: text,
    limits: z.strictObject({ running: whole(1), waiting: whole(0), timeMs: whole(1) }).optional(),
    asText: called,
    onProgress: called,
    onChanges: called,
    judge: yesOrNo,
    poll: yesOrNo,
    readOnly: yesOrNo,
    metrics: yesOrNo,
    onAnswer: called,
    onReady: called,
    onWarning: called,
    onFailure: called,
  }),
  listen: z.strictObject({
    host: text.unwrap(),
    port: whole(0, 65_535).unwrap(),
    headersMs: whole(1),
    requestMs: whole(1),
    readMs: whole(1),
    onRefused: called,
  }),
  attachRun,
  serveStdio: attachRun.extend({ signal: signal.unwrap(), onStart: called, onLeftOut: called }),
  sync: z.strictObject({
    only: texts,
    embed: yesOrNo,
    rebuild: yesOrNo,
    purge: yesOrNo,
    verify: yesOrNo,
    publish: yesOrNo,
    dryRun: yesOrNo,
    onProgress: called,
    onChange: called,
    signal,
  }),
  watch: z.strictObject({ onChange: toCall }),
  search,
  searchWithHypothesis: search.omit({ mode: true }).extend({ query: z.string().max(MAX_ASKED).optional() }),
  read: named.extend({ startLine: whole(1), endLine: whole(1), maxChars: whole(1) }),
  related: named.extend({ depth: whole(1, 3), direction: z.enum(LINK_DIRECTIONS).optional() }),
  list: z.strictObject({
    filters,
    sort: z.enum(LIST_ORDERS).optional(),
    limit: whole(1, 1_000_000),
    cursor: text,
    signal,
  }),
  tags: z.strictObject({ filters, signal }),
  graph: z.strictObject({ filters, limit: whole(1, 5000), signal }),
  audit: z.strictObject({ filters, limit: whole(1, 10_000), signal }),
  map: z.strictObject({ filters, limit: whole(1, 100_000), wait: yesOrNo, signal }),
  collections: z.strictObject({ signal }),
  export: z.strictObject({ vectors: yesOrNo, onProgress: called, signal }),
  status: z.strictObject({ signal }),
  check: z.strictObject({ signal }),
} as const;

export type Method = keyof typeof METHODS;

/** @throws DocfuseError `usage` with every wrong option and what is allowed */
export function checkOptions(method: Method, options: unknown): void {
  const schema = METHODS[method];
  const { error } = schema.safeParse(options, PLAINLY);
  if (!error) return;
  const problems = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new DocfuseError(
    'usage',
    `${method}(): ${problems.join('; ')}.`,
    knownInside(schema, error.issues) ??
      aboutValues(schema, error.issues) ??
      `Its options are ${Object.keys(schema.shape).join(', ')}.`,
  );
}

/**
 * Checks the options of a sync, and takes slashes off the ends of folders in `only`.
 * @throws DocfuseError `usage` for wrong options, and for `only` in a rebuild; `not_found` for an id in no collection
 */
export function checkSync(
  options: SyncOptions,
  collections: readonly { readonly name: string }[],
): SyncOptions {
  checkOptions('sync', options);
  if (!options.only) return options;
  if (options.rebuild) {
    const remedy = 'Leave out one of them: a rebuild reads all documents.';
    throw new DocfuseError('usage', 'sync(): only and rebuild exclude each other.', remedy);
  }
  const only = options.only.map((id) => id.replace(/\/+$/, ''));
  const unknown = only.find((id) => !collections.some(({ name }) => `${id}/`.startsWith(`${name}/`)));
  if (unknown === undefined) return { ...options, only };
  const begin = oneOf(collections.map(({ name }) => `${name}/`));
  const message = `sync(): only: “${unknown}” is in no collection.`;
  throw new DocfuseError('not_found', message, `Begin it with the name of its collection: ${begin}.`);
}

/** Options of all calls that read an index. */
export type ReadingOptions = Pick<ListOptions, 'filters' | 'signal'>;

/** Checks a call, and converts its filters. @param texts text parameters of the method, by name @throws as `checkOptions` */
export function checkCall<Options extends ReadingOptions>(
  method: Method,
  texts: Readonly<Record<string, unknown>>,
  options: Options,
  now: number,
): Applied<Options> {
  checkOptions(method, options);
  options.signal?.throwIfAborted();
  for (const [what, text] of Object.entries(texts)) {
    const refused = (fault: string, remedy: string) =>
      new DocfuseError('usage', `${method}(): the ${what} ${fault}.`, remedy);
    if (typeof text !== 'string') throw refused('is not text', `Give the ${what} as a string.`);
    if (text.length > MAX_ASKED)
      throw refused(`is longer than ${MAX_ASKED.toLocaleString('en')} characters`, 'Shorten it.');
  }
  const { filters, ...others } = options;
  return { ...others, ...(filters && { filters: applyFilters(filters, now, `${method}(): filters`) }) };
}
