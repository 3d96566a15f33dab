/** The files of the exported page. The build puts the page into the package, beside the page of the server. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocfuseError } from '../../core/errors.ts';

/** Folder of the built pages. The relative path is correct in `src/` and in `dist/`. */
const PAGES = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

/** An entry of Vite's build manifest. */
interface Built {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** Files and folders of an export that are copied from the package. */
export const SITE_NAMES = ['index.html', 'assets', 'docfuse-search.js', 'LICENSES.md'] as const;

/** The page, and the modules that it loads on demand: to show a document, to explain a hit, and to show help. */
const PAGE_ENTRIES = [
  'site.html',
  'reading-pane.tsx',
  'related-documents.tsx',
  'explanation.tsx',
  'help.tsx',
] as const;
const MAP_ENTRY = 'map/map-view.tsx';

/** Returns the folder with the code that a browser needs to search by meaning. @throws DocfuseError `not_found` if it is not built */
export function meaningFolder(): string {
  const found = join(PAGES, 'meaning');
  if (existsSync(join(found, 'runtime'))) return found;
  throw new DocfuseError(
    'not_found',
    'Search by meaning for exports is not built.',
    'Run npm ci, then npm run build:web.',
  );
}

/**
 * Returns the content of each file by its path in the export.
 * @param hasMap whether to include the view of the map
 * @throws DocfuseError `not_found` if the page is not built
 */
export function siteFiles(hasMap: boolean): ReadonlyMap<string, Uint8Array> {
  try {
    const manifest: Readonly<Record<string, Built>> = JSON.parse(
      readFileSync(join(PAGES, 'manifest.json'), 'utf8'),
    );
    const paths = new Set(['LICENSES.md', 'docfuse-search.js']);
    const seen = new Set<string>();
    const add = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      // `dynamicImports` are not followed: an export has no use for most views.
      const { file, css = [], imports = [] } = manifest[name]!;
      for (const path of [file, ...css]) paths.add(path);
      for (const next of imports) add(next);
    };
    for (const entry of PAGE_ENTRIES) add(entry);
    if (hasMap) add(MAP_ENTRY);
    const files = [...paths].map((path) => [path, new Uint8Array(readFileSync(join(PAGES, path)))] as const);
    const page = readFileSync(join(PAGES, 'site.html'), 'utf8');
    const index = hasMap ? page : page.replace('data-views="search map"', 'data-views="search"');
    return new Map([['index.html', new TextEncoder().encode(index)], ...files]);
  } catch (cause) {
    throw new DocfuseError('not_found', 'The page for exports is not built.', 'Run npm run build:web.', {
      cause,
    });
  }
}
