/** Finds documents of an export by name, and makes the facts about a document that answers contain. */
import { DocfuseError } from '../../../core/errors.ts';
import { LIST_STARTS_FILE, listFile } from '../../../core/fragments/export-format.ts';
import { type ShownDocument, toCatalogDocument } from '../../../core/fragments/text-fragment.ts';
import type { AnswerTo } from '../session.ts';
import type { SiteData } from './site-data.ts';

/** Finds a document by its id; by its path, file name or title if no document has this id. */
export async function find(data: SiteData, name: string): Promise<ShownDocument> {
  const starts = await data.json<readonly string[]>(LIST_STARTS_FILE);
  const place = starts.findLastIndex((start) => start <= name);
  const near = place < 0 ? [] : await data.json<ShownDocument[]>(listFile('path', place));
  const exact = near.find((each) => idOf(each) === name);
  if (exact) return exact;
  const wanted = name.toLowerCase();
  const ends = [wanted, `${wanted}.md`].flatMap((each) => [each, `/${each}`]);
  const all = await data.list('path');
  const found =
    all.find((each) =>
      ends.some((end) => `/${idOf(each).toLowerCase()}`.endsWith(end.replace(/^\/*/, '/'))),
    ) ??
    all.find(({ title, aliases = [] }) => [title, ...aliases].some((each) => each.toLowerCase() === wanted));
  if (found) return found;
  throw new DocfuseError(
    'not_found',
    `There is no document ${name}.`,
    'Search for words from its title or text.',
  );
}

export const idOf = ({ collection, path }: ShownDocument) => `${collection}/${path}`;

export function documentFacts(document: ShownDocument): AnswerTo<'/api/documents'>['documents'][number] {
  const { id, collection, path, title, tags, modified, frontMatter } = toCatalogDocument(document);
  const { chunks, linksOut, linksIn } = document;
  return {
    ...{ document_id: id, collection, path, title, tags: [...tags], chunks },
    modified: new Date(modified).toISOString(),
    front_matter: frontMatter,
    ...{ links_out: linksOut, links_in: linksIn },
  };
}
