/** Filters that the collection itself suggests: its tags, folders, authors, categories and collections. */
import type { Session } from './session.ts';

/** Max documents that are looked at for folders, authors and categories. */
const MAX_DOCUMENTS = 2_000;
/** Max suggestions at once. */
const MAX_SHOWN = 40;

const DATES = ['after:7d', 'after:30d', 'after:365d'];

/** Reads all filters as text, such as `tag:auth`. */
export async function readSuggestions(session: Session): Promise<readonly string[]> {
  const [tags, collections, documents] = await Promise.all([
    session.ask('/api/tags', {}),
    session.ask('/api/collections', {}),
    session.ask('/api/documents', { limit: MAX_DOCUMENTS, sort: 'date' }),
  ]);
  const listed = documents && 'answer' in documents ? documents.answer.documents : [];
  const known = collections && 'answer' in collections ? collections.answer.collections : [];
  const all = [
    ...(tags && 'answer' in tags ? tags.answer.tags.map(({ tag }) => `tag:${tag}`) : []),
    ...listed.flatMap(({ path }) => foldersOf(path)).map((folder) => `path:${folder}`),
    ...listed.flatMap(({ front_matter }) => textsOf(front_matter.author)).map((name) => `author:${name}`),
    ...listed.flatMap(({ front_matter }) => textsOf(front_matter.category)).map((name) => `category:${name}`),
    ...(known.length > 1 ? known.map(({ name }) => `collection:${name}`) : []),
    ...DATES,
  ];
  return [...new Set(all)];
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
