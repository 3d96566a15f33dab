/** The judged set of an index. It lies in the index's folder, away from the documents. */
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
 * The named sets, else the collected sets of the configured collections: of their common index and of each one's own.
 * @throws DocfuseError `judgements` if no set is named and none was collected
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
    `There are no judgements for ${roots.join(', ')} yet.`,
    `Judge a few queries with docfuse judge QUERY${roots.length > 1 ? ' FOLDER' : ''}, or name the folder of a set.`,
  );
}
