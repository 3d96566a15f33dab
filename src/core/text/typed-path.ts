/** Finds the document that a query names by its file name or its path, as typed or as docfuse prints it. */
import type { CatalogDocument } from '../model/document.ts';
import { fold } from './fold.ts';

/** Whether a query is more likely the path of a file than words. */
export function looksLikePath(query: string): boolean {
  return /[\\/]|\.\w{1,10}(?::\d+)*$/.test(query);
}

/**
 * Counts the parts at the end of `collection/path` that the query names. It is 0 unless the query names the whole path, or all of the
 * query is the end of the path; the whole path counts half a part more. Extension, `./` and `:line` are optional.
 */
export function pathMatcher(query: string): (document: Pick<CatalogDocument, 'id' | 'path'>) => number {
  const asked = query.replace(/(?::\d+)+$/, '').split(/[\\/]+/);
  const parts = asked.map(spaced).filter((part) => !/^\.{0,2}$/.test(part));
  return ({ id, path }) => {
    // Nearly all documents differ here already.
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

/** @param at 0 for a file name, which may lack its extension */
function isSame(name: string, part: string | undefined, at: number): boolean {
  return spaced(name) === part || (at === 0 && spaced(name.replace(/\.[^.]+$/, '')) === part);
}

function spaced(name: string): string {
  return fold(name)
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}
