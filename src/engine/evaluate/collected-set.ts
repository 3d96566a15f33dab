/** Where the judgements of an index are kept: in its own folder, away from the documents. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { OpenOptions } from '../api.ts';
import { loadConfig } from '../config/config.ts';
import { indexFolder } from '../config/places.ts';

/** The folder of the set beside an index. */
export function collectedFolder(indexPath: string): string {
  return join(indexPath, 'judged');
}

/**
 * The sets that are named, else those that were collected for the documents that these options open, together or one collection at a time.
 * @throws DocfuseError `judgements` when none is named and nothing was judged yet
 */
export function setsOrCollected(sets: readonly string[], options: OpenOptions): readonly string[] {
  if (sets.length > 0) return [...new Set(sets)];
  const { collections, indexPath } = loadConfig(options);
  const roots = collections.map(({ root }) => root);
  const indexes = [roots, ...roots.map((root) => [root])].map((each) =>
    indexFolder(each, options.indexPath, indexPath, options.cwd ?? process.cwd()),
  );
  const collected = [...new Set(indexes)].map(collectedFolder).filter((folder) => existsSync(folder));
  if (collected.length > 0) return collected;
  throw new DocfuseError(
    'judgements',
    `Nothing was judged yet for ${roots.join(', ')}.`,
    `Judge a few queries with docfuse judge QUERY${roots.length > 1 ? ' FOLDER' : ''}, or name the folder of a set.`,
  );
}
