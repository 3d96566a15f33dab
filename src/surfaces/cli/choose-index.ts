/** Which index a command asks: one made of a folder above holds the documents of this folder, too. */
import { existsSync } from 'node:fs';
import { DocfuseError } from '../../core/errors.ts';
import type { OpenOptions } from '../../engine/api.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import { pathInside } from '../../engine/path-inside.ts';
import { requireRoot } from '../../engine/require-root.ts';
import { withoutDocuments } from './explain-nothing.ts';
import { typedPlaces } from './typed-paths.ts';

export interface ChosenIndex {
  readonly open: OpenOptions;
  /** Folders and files that the question is kept to, absolute; absent for the whole index. */
  readonly within?: readonly string[];
}

/**
 * @param input as typed: what it names by a path may be held by the index of another folder
 * @param narrows whether the question can be kept to a part of an index
 * @param note told which other index is asked
 * @throws DocfuseError `not_found` where no index holds the path of a filter, and for a root that is neither on disk nor in
 * that index
 */
export async function chooseIndex(
  asked: OpenOptions,
  input: Readonly<Record<string, unknown>>,
  narrows: boolean,
  note: (line: string) => void,
): Promise<ChosenIndex> {
  const { config, indexPath } = locateIndex(asked);
  const isThere = existsSync(indexPath);
  const above = isThere ? undefined : await holding(asked);
  const { collections, indexPath: place } = config.places;
  if (!asked.roots && place.source === 'default') {
    const roots = above?.roots ?? (isThere ? config.collections.map(({ root }) => root) : []);
    const elsewhere = await chooseByPlaces(asked, input, roots, collections.source === 'default', note);
    if (elsewhere) return elsewhere;
  }
  if (!above) return { open: asked };
  const { roots, within } = above;
  const open = { ...asked, roots };
  const gone = within.filter((each) => !existsSync(each));
  for (const path of await withoutDocuments(open, gone)) requireRoot(path);
  const narrowed = narrows ? `, narrowed to ${within.map((path) => placeIn(roots, path)).join(', ')}` : '';
  note(`Using the index of ${roots.join(', ')}${narrowed}; --new-index makes another one.`);
  return { open, ...(narrows && { within }) };
}

/** The index that holds what is named by a path from here, where that lies in none of `roots`. */
async function chooseByPlaces(
  asked: OpenOptions,
  input: Readonly<Record<string, unknown>>,
  roots: readonly string[],
  named: boolean,
  note: (line: string) => void,
): Promise<ChosenIndex | undefined> {
  const cwd = asked.cwd ?? process.cwd();
  const isIn = (folder: string) => (path: string) => pathInside(folder, path) !== undefined;
  const { document, path } = typedPlaces(input, cwd, named);
  const outside = [...document, ...path].filter((place) => !roots.some((root) => isIn(root)(place)));
  if (outside.length === 0) return undefined;
  const own = { ...asked, roots: outside };
  const found = existsSync(locateIndex(own).indexPath) ? outside : (await holding(own))?.roots;
  if (found) {
    note(`Using the index of ${found.join(', ')}.`);
    return { open: { ...asked, roots: found } };
  }
  // An index of this folder would not hold it.
  const missing = path.find((place) => outside.includes(place) && !isIn(cwd)(place));
  if (missing === undefined) return undefined;
  throw new DocfuseError(
    'not_found',
    `No index holds ${missing}.`,
    'Index the folder it lies in: docfuse index FOLDER.',
  );
}

/** What reads and opens databases is loaded only where there is no index of these folders alone. */
async function holding(options: OpenOptions) {
  const { indexHolding } = await import('../../engine/open-indexes.ts');
  return indexHolding(options);
}

/** Below the only root, or whole. */
function placeIn([root, ...others]: readonly string[], path: string): string {
  return others.length > 0 ? path : pathInside(root!, path) || path;
}
