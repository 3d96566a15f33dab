/** Decides which documents a search may answer with. */
import type { FrontMatter } from '../model/document.ts';
import type { Filters } from '../model/query.ts';
import { matchesFrontMatter } from './front-matter-filter.ts';
import { pathMatcher } from './path-filter.ts';

/** What filters look at. */
export interface FilterableDocument {
  readonly collection: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly category?: string;
  readonly author?: string;
  /** Milliseconds since 1970: front matter date, else file time. */
  readonly modified: number;
  readonly frontMatter: FrontMatter;
}

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

/** Against the path inside the collection, and with the collection in front as ids and printed hits have it. */
function onPath(pattern: string): DocumentTest {
  const matches = pathMatcher(pattern);
  return ({ collection, path }) => matches(path) || matches(`${collection}/${path}`);
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
    anyOf(
      entries,
      ({ value }) =>
        (document) =>
          matchesFrontMatter(document.frontMatter, key, value),
    ),
  );
}

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
