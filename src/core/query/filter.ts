/** Makes filter tests: documents and chunks that do not pass are left out of the answer. */
import type { CatalogDocument, FrontMatter } from '../model/document.ts';
import type { Filters } from '../model/query.ts';
import { globMatcher, MAX_GLOB_LENGTH } from './glob.ts';

export type FilterableDocument = Pick<
  CatalogDocument,
  'collection' | 'path' | 'tags' | 'category' | 'author' | 'modified' | 'frontMatter'
>;

/**
 * Returns the test that a document must pass, or undefined if all documents pass. Ignores `lang` and `notLang`: they filter
 * chunks, by `languageFilter`. An empty list does not filter. `where` entries with the same key are alternatives.
 */
export function documentFilter(filters: Filters): ((document: FilterableDocument) => boolean) | undefined {
  const { after, before, where = [] } = filters;
  const all: (DocumentTest | undefined)[] = [
    anyOf(filters.collection, (name) => (document) => document.collection === name),
    anyOf(filters.path, onPath),
    noneOf(filters.exclude, onPath),
    anyOf(filters.tag, hasTag),
    noneOf(filters.notTag, hasTag),
    anyOf(filters.category, hasText('category')),
    noneOf(filters.notCategory, hasText('category')),
    anyOf(filters.author, hasText('author')),
    noneOf(filters.notAuthor, hasText('author')),
    after === undefined ? undefined : (document) => document.modified >= after,
    before === undefined ? undefined : (document) => document.modified < before,
    ...[...Map.groupBy(where, ({ key }) => key)].map(([key, entries]) =>
      anyOf(entries, ({ value }) => hasValue(key, value)),
    ),
  ];
  const tests = all.filter((test) => test !== undefined);
  return tests.length === 0 ? undefined : (document) => tests.every((test) => test(document));
}

/** Returns the test for the languages of a chunk's code blocks, or undefined if all chunks pass. */
export function languageFilter(filters: Filters): ((languages: readonly string[]) => boolean) | undefined {
  const wanted = new Set(filters.lang?.map(languageOf));
  const refused = new Set(filters.notLang?.map(languageOf));
  if (wanted.size + refused.size === 0) return undefined;
  return (languages) => {
    const own = languages.map(languageOf);
    const isWanted = wanted.size === 0 || own.some((language) => wanted.has(language));
    return isWanted && !own.some((language) => refused.has(language));
  };
}

type DocumentTest = (document: FilterableDocument) => boolean;

function anyOf<Value>(
  values: readonly Value[] | undefined,
  toTest: (value: Value) => DocumentTest,
): DocumentTest | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const tests = values.map(toTest);
  return (document) => tests.some((test) => test(document));
}

function noneOf<Value>(
  values: readonly Value[] | undefined,
  toTest: (value: Value) => DocumentTest,
): DocumentTest | undefined {
  const test = anyOf(values, toTest);
  return test && ((document) => !test(document));
}

/** Compares a pattern with the path inside the collection, and with `collection/path`, as in ids and printed hits. */
function onPath(pattern: string): DocumentTest {
  const matches = pathMatcher(pattern);
  return ({ collection, path }) => matches(path) || matches(`${collection}/${path}`);
}

/**
 * Returns the test for a path inside its collection. `guides` and `guides/` match the folder and all files below it, `a/b.md`
 * matches the file; `guides/*.md` and `drafts/**` are globs. A glob without a slash is compared with the file name only. Case
 * matters. A path with lines as printed in answers, `a/b.md:4-8`, matches the file. `.` and the empty pattern match all paths. A
 * pattern of more than 500 characters is never read as a glob.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const prefix = barePath(pattern);
  const file = prefix.replace(/:\d+(?:-\d+)?$/, '');
  const matchesGlob = GLOB.test(prefix) && prefix.length <= MAX_GLOB_LENGTH ? ofPath(prefix) : undefined;
  return (path) => {
    const composed = path.normalize('NFC');
    if (prefix === '' || prefix === '.') return true;
    const isNamed = composed === prefix || composed === file || composed.startsWith(`${prefix}/`);
    return isNamed || matchesGlob?.(composed) === true;
  };
}

/** Removes `./` and `/` from the start of a pattern, and `/` from its end. */
export function barePath(pattern: string): string {
  return pattern
    .normalize('NFC')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '');
}

export const GLOB = /[*?[\]{}!\\]/;

function ofPath(glob: string): (path: string) => boolean {
  const matches = globMatcher(glob);
  return glob.includes('/') ? matches : (path) => matches(path.slice(path.lastIndexOf('/') + 1));
}

/** Tests for a tag: `a` matches `a` and `a/b`. Case and a leading `#` are ignored. */
function hasTag(wanted: string): DocumentTest {
  const tag = normalizeTag(wanted);
  return (document) =>
    document.tags.some((own) => normalizeTag(own) === tag || normalizeTag(own).startsWith(`${tag}/`));
}

function hasText(field: 'author' | 'category'): (wanted: string) => DocumentTest {
  return (wanted) => {
    const text = normalize(wanted);
    return (document) => namesIn(document[field]).includes(text);
  };
}

/** Returns the normalized names in a field: several authors are stored as one text, `Ann, Bob`. */
export function namesIn(own = ''): readonly string[] {
  return own === '' ? [] : [own, ...own.split(',')].map((part) => normalize(part.trim()));
}

/**
 * Tests whether a front matter field equals a typed value, ignoring case. A list matches if one member does. `a.b` looks inside
 * maps. Numbers and booleans are compared as text, times as ISO day (`2024-05-01`) or in full. A `commit` also matches by its
 * first seven or more digits, as Git prints it.
 */
function hasValue(key: string, value: string): DocumentTest {
  const wanted = normalize(value);
  const isShortHash = key === 'commit' && /^[0-9a-f]{7,}$/.test(wanted);
  return ({ frontMatter }) =>
    valuesAt(frontMatter, key).some(
      (found) =>
        textsOf(found).some((text) => normalize(text) === wanted) ||
        (isShortHash && typeof found === 'string' && normalize(found).startsWith(wanted)),
    );
}

/**
 * Returns all values that a dotted key may mean: the value of the whole key, and the values that its parts lead to through maps
 * and lists of maps.
 */
function valuesAt(node: unknown, key: string): readonly unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((member) => valuesAt(member, key));
  const own = Object.hasOwn(node, key) ? [(node as FrontMatter)[key]] : [];
  const dot = key.indexOf('.');
  if (dot < 0 || !Object.hasOwn(node, key.slice(0, dot))) return own;
  return [...own, ...valuesAt((node as FrontMatter)[key.slice(0, dot)], key.slice(dot + 1))];
}

/** Returns the texts to compare a value with. Front matter contains only JSON types, so a time is text. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'string') return [];
  return ISO_TIME.test(value) ? [value, value.slice(0, 10)] : [value];
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** Other names of languages that people use after a fence or in a query. */
const LANGUAGE_ALIASES: ReadonlyMap<string, string> = new Map(
  `c#>csharp cs>csharp c++>cpp golang>go js>javascript kt>kotlin md>markdown objc>objective-c ps1>powershell py>python
   python3>python rb>ruby rs>rust sh>bash shell>bash ts>typescript zsh>bash yml>yaml`
    .split(/\s+/)
    .map((pair) => pair.split('>') as [alias: string, language: string]),
);

export function languageOf(name: string): string {
  const language = normalize(name);
  return LANGUAGE_ALIASES.get(language) ?? language;
}

export function normalizeTag(tag: string): string {
  return normalize(tag).replace(/^#/, '').replace(/\/$/, '');
}

export function normalize(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
