/** Filters that the collection itself suggests: its tags, folders, authors, categories, collections, and the years and months of its documents. */
import type { Session } from './session.ts';

/** Number of documents per request for folders, authors, categories and dates. A large collection takes several requests. */
const EACH = 5_000;
const MAX_SHOWN = 40;

const DATES = ['after:7d', 'after:30d', 'after:365d'];

/**
 * Reads all filters that the collection suggests, as text such as `tag:auth`.
 * @param tell called with the filters known so far, and again whenever there are more
 * @returns whether all could be read
 */
export async function readSuggestions(
  session: Session,
  tell: (all: readonly string[]) => void,
): Promise<boolean> {
  const [tags, collections] = await Promise.all([
    session.ask('/api/tags', {}),
    session.ask('/api/collections', {}),
  ]);
  const known = collections?.answer?.collections ?? [];
  const all = new Set([
    ...DATES,
    ...(known.length > 1 ? known.map(({ name }) => `collection:${name}`) : []),
    ...(tags?.answer?.tags.map(({ tag }) => `tag:${tag}`) ?? []),
  ]);
  const months = new Set<string>();
  const show = () => tell([...all, ...datesIn([...months])]);
  let cursor: string | undefined;
  do {
    show();
    const listed = await session.ask('/api/documents', { limit: EACH, sort: 'date', cursor });
    if (!listed?.answer) return false;
    for (const { path, modified, front_matter } of listed.answer.documents) {
      months.add(modified.slice(0, 7));
      for (const folder of foldersOf(path)) all.add(`path:${folder}`);
      for (const name of textsOf(front_matter.author)) all.add(`author:${name}`);
      for (const name of textsOf(front_matter.category)) all.add(`category:${name}`);
    }
    cursor = listed.answer.next_cursor;
  } while (cursor !== undefined);
  show();
  return [tags, collections].every((one) => one?.answer);
}

/** Returns the suggestion for a typed text: the only one that contains the text, else the one that equals it (`docs/dev`, `#recipe`). */
export function meant(all: readonly string[], text: string): string | undefined {
  const found = matching(all, text);
  const wanted = asTag(text);
  const isIt = (each: string) => [each, partOf(each), partOf(each).replace(/\/$/, '')].includes(wanted);
  return found.length === 1 ? found[0] : found.find((each) => isIt(each.toLowerCase()));
}

/** The suggestions that contain a text. Those that begin with it come first. */
export function matching(all: readonly string[], text: string): readonly string[] {
  const wanted = asTag(text);
  const rank = (each: string): number => {
    const lower = each.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (partOf(lower).startsWith(wanted)) return 1;
    return lower.includes(wanted) ? 2 : 3;
  };
  const ranked = Map.groupBy(all, rank);
  return [0, 1, 2].flatMap((each) => ranked.get(each) ?? []).slice(0, MAX_SHOWN);
}

/** Lower case; `#auth` becomes `tag:auth`. */
function asTag(text: string): string {
  return text.trim().toLowerCase().replace(/^#/, 'tag:');
}

function partOf(suggestion: string): string {
  return suggestion.slice(suggestion.indexOf(':') + 1);
}

/** Returns filters for the years and months of documents. The last date has no `before:` filter: no document would pass. */
function datesIn(months: readonly string[]): readonly string[] {
  const years = [...new Set(months.map((month) => month.slice(0, 4)))];
  return [
    ...[...years, ...months].map((date) => `after:${date}`),
    ...[...years.slice(0, -1), ...months.slice(0, -1)].map((date) => `before:${date}`),
  ];
}

/** `a/b/c.md` → `a/`, `a/b/`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`);
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}
