/** Which index a command asks: one made of a folder above holds the documents of this folder, too. Says so if it holds none of them. */
import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { OpenOptions } from '../../engine/api.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import { pathInside } from '../../engine/path-inside.ts';
import { requireRoot } from '../../engine/require-root.ts';
import { typedPlaces } from './paths.ts';

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

/** Says in an answer without documents that the index has none below the folder or file that the question was kept to. */
export async function explainNothing<Answer extends Readonly<Record<string, unknown>>>(
  answer: Answer,
  { open, within = [] }: ChosenIndex,
): Promise<Answer> {
  const { total, stats } = answer as {
    readonly total?: unknown;
    readonly stats?: { after_filters?: number };
  };
  if (total !== 0 && stats?.after_filters !== 0) return answer;
  const [path] = await withoutDocuments(
    open,
    within.filter((each) => existsSync(each)),
  );
  if (path === undefined) return answer;
  const { roots = [] } = open;
  const [root = ''] = roots.filter((each) => pathInside(each, path) !== undefined);
  const names = pathInside(root, path)?.split(sep) ?? [];
  const hidden = names.find((name) => name.startsWith('.') || name === 'node_modules');
  const reason = hidden
    ? `${hidden === 'node_modules' ? hidden : 'a hidden file or folder'} is left out`
    : 'an ignore file or a setting leaves it out, or it holds no Markdown';
  const place = relative(process.cwd(), path) || path;
  const notice = `The index of ${roots.join(', ')} has no documents below ${place}: ${reason}; --new-index makes one of its own.`;
  return { ...answer, notice };
}

/** The paths below which the index has no document. */
async function withoutDocuments(options: OpenOptions, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const { open } = await import('../../engine/open.ts');
  await using index = await open(options);
  const totals = await Promise.all(paths.map((path) => index.list({ filters: { path: [path] }, limit: 1 })));
  return paths.filter((_, place) => totals[place]!.total === 0);
}
