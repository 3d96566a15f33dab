/** Filters that the collection itself suggests: its tags, folders, authors, categories and collections. */
import type { Session } from './session.ts';

/** Documents of one request for folders, authors and categories. A large collection takes several. */
const EACH = 5_000;
/** Max suggestions at once. */
const MAX_SHOWN = 40;

const DATES = ['after:7d', 'after:30d', 'after:365d'];

/**
 * Reads all filters as text, such as `tag:auth`.
 * @param show gets those that are known so far, again whenever there are more
 * @returns whether all could be read
 */
export async function readSuggestions(
  session: Session,
  show: (all: readonly string[]) => void,
): Promise<boolean> {
  const [tags, collections] = await Promise.all([
    session.ask('/api/tags', {}),
    session.ask('/api/collections', {}),
  ]);
  const known = collections && 'answer' in collections ? collections.answer.collections : [];
  const all = new Set([
    ...DATES,
    ...(known.length > 1 ? known.map(({ name }) => `collection:${name}`) : []),
    ...(tags && 'answer' in tags ? tags.answer.tags.map(({ tag }) => `tag:${tag}`) : []),
  ]);
  let cursor: string | undefined;
  do {
    show([...all]);
    const listed = await session.ask('/api/documents', {
      ...{ limit: EACH, sort: 'date' },
      ...(cursor && { cursor }),
    });
    if (!listed || !('answer' in listed)) return false;
    for (const { path, front_matter } of listed.answer.documents) {
      for (const folder of foldersOf(path)) all.add(`path:${folder}`);
      for (const name of textsOf(front_matter.author)) all.add(`author:${name}`);
      for (const name of textsOf(front_matter.category)) all.add(`category:${name}`);
    }
    cursor = listed.answer.next_cursor;
  } while (cursor !== undefined);
  show([...all]);
  return [tags, collections].every((one) => one && 'answer' in one);
}

/** The suggestions that contain a text, those that begin with it first. */
export function matching(all: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  const rank = (each: string): number => {
    const lower = each.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.slice(lower.indexOf(':') + 1).startsWith(wanted)) return 1;
    return lower.includes(wanted) ? 2 : 3;
  };
  const ranks = all.map((each) => ({ each, rank: rank(each) })).filter((one) => one.rank < 3);
  return ranks
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_SHOWN)
    .map(({ each }) => each);
}

/** `a/b/c.md` → `a/`, `a/b/`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`);
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}
