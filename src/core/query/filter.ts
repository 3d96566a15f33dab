/** Decides which documents a search may answer with. */
import type { CatalogDocument, FrontMatter } from '../model/document.ts';
import type { Filters } from '../model/query.ts';
import { globMatcher, MAX_GLOB_LENGTH } from './glob.ts';

/** What filters look at. */
export type FilterableDocument = Pick<
  CatalogDocument,
  'collection' | 'path' | 'tags' | 'category' | 'author' | 'modified' | 'frontMatter'
>;

/**
 * The test a document must pass, or undefined when every document does. `lang` and `notLang` are a matter of chunks and are left
 * to `languageFilter`. Empty lists narrow nothing; `where` entries of one key are alternatives.
 */
export function documentFilter(filters: Filters): ((document: FilterableDocument) => boolean) | undefined {
  const tests = documentTests(filters);
  return tests.length === 0 ? undefined : (document) => tests.every((test) => test(document));
}

/** The test the languages of a chunk's code blocks must pass, or undefined when every chunk does. */
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

function documentTests(filters: Filters): readonly DocumentTest[] {
  const { after, before } = filters;
  const tests: (DocumentTest | undefined)[] = [
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
    ...whereTests(filters.where ?? []),
  ];
  return tests.filter((test) => test !== undefined);
}

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

/** Compares with the path inside the collection, and with `collection/path`, as ids and printed hits have it. */
function onPath(pattern: string): DocumentTest {
  const matches = pathMatcher(pattern);
  return ({ collection, path }) => matches(path) || matches(`${collection}/${path}`);
}

/**
 * The test for a path inside its collection: `guides` and `guides/` mean the folder and all below it, `a/b.md` the
 * file, `guides/*.md` or `drafts/**` a glob; a glob without a slash looks at the file name alone. Case matters.
 * A place as an answer prints it, `a/b.md:4-8`, means its file. A pattern of more than 500 characters is no glob and
 * matches only literally.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const prefix = pattern
    .normalize('NFC')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '');
  const file = prefix.replace(/:\d+(?:-\d+)?$/, '');
  const matchesGlob = GLOB.test(prefix) && prefix.length <= MAX_GLOB_LENGTH ? ofPath(prefix) : undefined;
  return (path) => {
    const composed = path.normalize('NFC');
    if (prefix === '' || prefix === '.') return true;
    const isNamed = composed === prefix || composed === file || composed.startsWith(`${prefix}/`);
    return isNamed || matchesGlob?.(composed) === true;
  };
}

const GLOB = /[*?[\]{}!\\]/;

function ofPath(glob: string): (path: string) => boolean {
  const matches = globMatcher(glob);
  return glob.includes('/') ? matches : (path) => matches(path.slice(path.lastIndexOf('/') + 1));
}

/** `a` finds `a` and `a/b`; case and a leading `#` do not matter. */
function hasTag(wanted: string): DocumentTest {
  const tag = normalizeTag(wanted);
  return (document) =>
    document.tags.some((own) => normalizeTag(own) === tag || normalizeTag(own).startsWith(`${tag}/`));
}

function hasText(field: 'author' | 'category'): (wanted: string) => DocumentTest {
  return (wanted) => {
    const text = normalize(wanted);
    // Several authors are kept as one text, `Ann, Bob`; any of them is meant.
    return (document) => {
      const own = document[field];
      return own !== undefined && [own, ...own.split(',')].some((part) => normalize(part.trim()) === text);
    };
  };
}

function whereTests(where: NonNullable<Filters['where']>): readonly (DocumentTest | undefined)[] {
  return [...Map.groupBy(where, ({ key }) => key)].map(([key, entries]) =>
    anyOf(entries, ({ value }) => hasValue(key, value)),
  );
}

/**
 * Whether a field of the front matter equals a value typed by a person, letter case aside. A list matches by any member; `a.b` looks into
 * maps; numbers and booleans compare by their text, times by ISO day (`2024-05-01`) or in full. The beginning of a
 * `commit` will do, from seven digits on, as Git shows it.
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

/** Everything a dotted key may mean: the key as it stands, or the path through maps and lists of maps. */
function valuesAt(node: unknown, key: string): readonly unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((member) => valuesAt(member, key));
  const own = Object.hasOwn(node, key) ? [(node as FrontMatter)[key]] : [];
  const dot = key.indexOf('.');
  if (dot < 0 || !Object.hasOwn(node, key.slice(0, dot))) return own;
  return [...own, ...valuesAt((node as FrontMatter)[key.slice(0, dot)], key.slice(dot + 1))];
}

/** Front matter is what JSON can hold; a time is a text in it. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'string') return [];
  return ISO_TIME.test(value) ? [value, value.slice(0, 10)] : [value];
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** Short names that people write after a fence or in a query, and what they stand for. */
const LANGUAGE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['c#', 'csharp'],
  ['cs', 'csharp'],
  ['c++', 'cpp'],
  ['golang', 'go'],
  ['js', 'javascript'],
  ['kt', 'kotlin'],
  ['md', 'markdown'],
  ['objc', 'objective-c'],
  ['ps1', 'powershell'],
  ['py', 'python'],
  ['python3', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['ts', 'typescript'],
  ['zsh', 'bash'],
  ['yml', 'yaml'],
]);

function languageOf(name: string): string {
  const language = normalize(name);
  return LANGUAGE_ALIASES.get(language) ?? language;
}

function normalizeTag(tag: string): string {
  return normalize(tag).replace(/^#/, '').replace(/\/$/, '');
}

function normalize(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
