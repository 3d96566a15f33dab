/** Checks what a program gives to an index in memory. Core has no schemas: a rule has a test, and words for what to give. */
import { DocfuseError } from './errors.ts';
import { camelKeys } from './model/camel-keys.ts';
import { defined } from './model/defined.ts';
import { SEARCH_MODES } from './model/query.ts';
import { ADVANCED_ROWS, SEARCH_ROWS, type SettingRow } from './model/search-settings.ts';
import { FILTER_KEYS } from './query/syntax.ts';

type Fields = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;
/** With `inner`: the rules for the fields of an object by name, or the rule for each member of a list. */
type Rule = readonly [holds: Test, wanted: string, inner?: Rules | Rule];
type Rules = { readonly [name: string]: Rule };

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const range =
  (least: number, most: number): Test =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most;

const TEXT: Rule = [isText, 'a text'];
const TEXTS: Rule = [Array.isArray, 'a list of texts', TEXT];
const FLAG: Rule = [(value) => typeof value === 'boolean', 'true or false'];
// A Date can hold no other times.
const TIME: Rule = [range(-8.64e15, 8.64e15), 'milliseconds since 1970, such as Date.UTC(2026, 0, 31)'];
// Not checked by its class: each window has its own.
const SIGNAL: Rule = [(value) => isObject(value) && 'throwIfAborted' in value, 'an AbortSignal'];
const ENTRY: Rule = [
  (value) => isObject(value) && isText(value.key) && isText(value.value),
  "texts, such as { key: 'status', value: 'draft' }",
];
const COUNT = settingRule({ kind: 'integer', min: 1 });
const AMOUNTS: Rules = {
  topN: COUNT,
  minConfidence: settingRule(SEARCH_ROWS.min_confidence),
};
const FILTERS: Rules = {
  ...Object.fromEntries(['collection', ...Object.values(FILTER_KEYS).flat()].map((name) => [name, TEXTS])),
  where: [Array.isArray, "a list, such as [{ key: 'status', value: 'draft' }]", ENTRY],
  after: TIME,
  before: TIME,
};
const SETTINGS: Rules = {
  ...Object.fromEntries(
    Object.entries(camelKeys({ ...SEARCH_ROWS, ...ADVANCED_ROWS })).map(([name, row]) => [
      name,
      settingRule(row),
    ]),
  ),
  ...AMOUNTS,
};
const OPTIONS: Rules = {
  ...AMOUNTS,
  mode: oneOf(SEARCH_MODES),
  filters: [isObject, 'an object', FILTERS],
  parents: FLAG,
  explain: FLAG,
  settings: [isObject, 'an object', SETTINGS],
  signal: SIGNAL,
};
const DOCUMENT: Rules = {
  path: [(value) => isText(value) && value !== '', 'a path, such as guides/a.md'],
  text: TEXT,
  // With a `/`, the ids of documents in two collections could be equal.
  collection: [(value) => isText(value) && /^[^/]+$/.test(value), 'a name without /, such as notes'],
  modified: TIME,
};
const INDEX: Rules = {
  clock: [hasCalls('now', 'monotonic'), 'an object with now() and monotonic()'],
  embedder: [
    (value) => hasCalls('embedQuery', 'embedPassages')(value) && COUNT[0]((value as Fields).dimensions),
    'an object with dimensions, embedQuery() and embedPassages()',
  ],
};

/** @throws DocfuseError `usage` */
export function checkIndexOptions(options: unknown): void {
  check('createMemoryIndex(): options', options, [isObject, 'an object with a clock']);
  checkInner('createMemoryIndex(): ', { clock: undefined, ...defined(options as Fields) }, INDEX);
}

/** @throws DocfuseError `usage` */
export function checkSearch(query: unknown, options: unknown): void {
  check('search(): the query', query, TEXT);
  check('search(): options', options, [isObject, 'an object']);
  checkInner('search(): ', defined(options as Fields), OPTIONS);
}

/** @throws DocfuseError `usage` */
export function checkAdd(documents: unknown, signal: unknown): void {
  check('add(): documents', documents, [Array.isArray, 'a list']);
  for (const [index, document] of (documents as readonly Fields[]).entries()) {
    check(`add(): documents.${index}`, document, [isObject, 'an object']);
    const given = { path: undefined, text: undefined, ...defined(document) };
    checkInner(`add(): documents.${index}.`, given, DOCUMENT);
  }
  if (signal !== undefined) check('add(): signal', signal, SIGNAL);
}

/** @throws DocfuseError `usage` */
export function checkRemove(id: unknown): void {
  check('remove(): the id', id, [isText, 'an id, such as documents/guides/a.md']);
}

function check(name: string, value: unknown, [holds, wanted, inner]: Rule): void {
  if (!holds(value)) throw wrong(name, shown(value), wanted);
  if (inner) checkInner(`${name}.`, Array.isArray(value) ? value : defined(value as Fields), inner);
}

function checkInner(prefix: string, given: object, rules: Rules | Rule): void {
  for (const [name, value] of Object.entries(given)) {
    const rule = isRule(rules) ? rules : Object.hasOwn(rules, name) && rules[name];
    if (!rule) throw wrong(prefix + name, 'unknown', `one of ${Object.keys(rules).join(', ')}`);
    check(prefix + name, value, rule);
  }
}

function isRule(rules: Rules | Rule): rules is Rule {
  return Array.isArray(rules);
}

function hasCalls(...names: readonly string[]): Test {
  return (value) => isObject(value) && names.every((name) => typeof value[name] === 'function');
}

function oneOf(words: readonly unknown[]): Rule {
  return [(value) => words.includes(value), `one of ${words.join(', ')}`];
}

function settingRule({ kind, min, max, words, word }: Partial<SettingRow<unknown>>): Rule {
  if (kind === 'flag') return FLAG;
  if (words) return oneOf(words);
  const inRange = range(min ?? -Number.MAX_VALUE, max ?? Number.MAX_VALUE);
  const isWhole = kind === 'integer';
  const bounds = Object.entries(defined({ from: min, to: max, or: word })).flat();
  return [
    (value) =>
      (isText(value) && value === word) || (inRange(value) && (!isWhole || Number.isSafeInteger(value))),
    [isWhole ? 'a whole number' : 'a number', ...bounds].join(' '),
  ];
}

function shown(value: unknown): string {
  if (isText(value)) return `the text “${value}”`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  return isObject(value) ? 'an object' : String(value);
}

function wrong(name: string, value: string, wanted: string): DocfuseError {
  return new DocfuseError('usage', `${name} is ${value}.`, `Give ${wanted}.`);
}
