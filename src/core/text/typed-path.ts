/** Finds the document whose file name or path is the query, as typed or as printed by docfuse. */
import type { CatalogDocument } from '../model/document.ts';
import { fold } from './fold.ts';

/** Whether a query is more likely a file path than words. */
export function looksLikePath(query: string): boolean {
  return /[\\/]|\.\w{1,10}(?::\d+)*$/.test(query);
}

/**
 * Makes a function that counts how many parts of `collection/path`, from the end, equal the parts of the query. It returns 0
 * unless the query contains the whole path, or the path ends with the whole query. The whole path adds 0.5. Extension, `./` and
 * `:line` are optional in the query.
 */
export function pathMatcher(query: string): (document: Pick<CatalogDocument, 'id' | 'path'>) => number {
  const asked = query.replace(/(?::\d+)+$/, '').split(/[\\/]+/);
  const parts = asked.map(spaced).filter((part) => !/^\.{0,2}$/.test(part));
  return ({ id, path }) => {
    // Compare file names first: nearly all documents differ there.
    if (!isSame(path.slice(path.lastIndexOf('/') + 1), parts.at(-1), 0)) return 0;
    const own = path.split('/');
    const collection = id.slice(0, id.length - path.length - 1);
    const names = [collection, ...own].reverse();
    const differs = names.findIndex((name, at) => !isSame(name, parts.at(-1 - at), at));
    const said = differs < 0 ? names.length : differs;
    if (said >= own.length) return said + 0.5;
    return said === parts.length ? said : 0;
  };
}

/**
 * Whether a part of the query equals a name in a path.
 * @param at 0 for a file name; its extension is optional in the query
 */
function isSame(name: string, part: string | undefined, at: number): boolean {
  return spaced(name) === part || (at === 0 && spaced(name.replace(/\.[^.]+$/, '')) === part);
}

function spaced(name: string): string {
  return fold(name)
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}
