/** Finds the document whose file name or path is the query. Reads paths as people type them and as docfuse prints them. */
import type { CatalogDocument } from '../model/document.ts';
import { fold } from './fold.ts';

/** Whether a query is more likely a file path than words. */
export function looksLikePath(query: string): boolean {
  return /[\\/]|\.\w{1,10}(?::\d+)*$/.test(query);
}

/** Reads a query as a path. The query may omit the extension; a leading `./` and a `:line` at the end are ignored. */
export function readTypedPath(query: string) {
  const asked = query.replace(/(?::\d+)+$/, '').split(/[\\/]+/);
  const parts = asked.map(spaced).filter((part) => !/^\.{0,2}$/.test(part));
  const fileName = parts.at(-1);
  return {
    /** Key of the last part, as `fileNameKeys` makes it; undefined if there is no part. */
    fileName,
    /**
     * Compares the query with `collection/path`, part by part from the end, and returns the number of equal parts. If the query
     * contains the whole path, adds 0.5. Otherwise all parts of the query must be equal; if not, returns 0.
     */
    partsIn({ id, path }: Pick<CatalogDocument, 'id' | 'path'>): number {
      if (fileName === undefined || !fileNameKeys(path).includes(fileName)) return 0;
      const folders = path.split('/').slice(0, -1);
      const names = [id.slice(0, id.length - path.length - 1), ...folders].reverse();
      const differs = names.findIndex((name, at) => spaced(name) !== parts.at(-2 - at));
      const said = (differs < 0 ? names.length : differs) + 1;
      if (said > folders.length) return said + 0.5;
      return said === parts.length ? said : 0;
    },
  };
}

/** Returns the texts that name the file of a path: its name with and without extension. */
export function fileNameKeys(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [...new Set([spaced(name), spaced(name.replace(/\.[^.]+$/, ''))])];
}

function spaced(name: string): string {
  return fold(name)
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}
