/** Merges the configuration of a call, and finds the folder of its index. */
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { OpenOptions } from '../api.ts';
import { type Config, loadConfig } from './config.ts';
import { placeOfModel } from './model-place.ts';
import { indexesFolder, indexFolder, shortName } from './places.ts';
import { readPublishedAddress } from './published-address.ts';

export type IndexLocation = ReturnType<typeof locateIndex>;

/**
 * @returns the configuration and the absolute path of the index. For an index on a server, also its address as `published`. There
 * are then no collections, and the path is a folder on this machine, where `docfuse serve` writes its discovery file
 * @throws DocfuseError `config`; `usage` for folders together with an index on a server, and for no folders at all
 */
export function locateIndex(options: OpenOptions) {
  const config = loadConfig(options);
  const roots = config.collections.map(({ root }) => root);
  const cwd = options.cwd ?? process.cwd();
  const indexPath = indexFolder(roots, options.indexPath, config.indexPath, cwd);
  const published = readPublishedAddress(indexPath);
  if (!published && options.roots?.length === 0 && config.places.collections.source === 'default')
    throw new DocfuseError(
      'usage',
      'roots is an empty list, and no configuration file names collections.',
      'Name folders in roots, or leave roots out to search the working directory.',
    );
  if (!published) return { config, indexPath };
  if (options.roots?.length || options.corpora?.length)
    throw new DocfuseError(
      'usage',
      `${published.shown} holds the documents of other machines, so the call cannot name folders.`,
      'Leave the folders out, and narrow the search with --path or --collection.',
    );
  const folder = join(indexesFolder(), `${published.engine}-${published.name}-${shortName(indexPath, 12)}`);
  return { config: { ...config, collections: [] }, indexPath: folder, published };
}

/** Digests collections, settings and models. Two configurations with equal digests give equal answers. */
export function digestConfig({ collections, settings }: Config, cwd = process.cwd()): string {
  const { server: _server, answer: _answer, qdrant: _qdrant, postgres: _postgres, ...shaping } = settings;
  const { embedding, search } = settings;
  // `trusted` is left out: it decides only whether a git repository is read.
  const read = collections.map(({ trusted: _trusted, ...collection }) => collection);
  const models = [embedding.model, ...(search.rerank_enabled ? [search.rerank_model] : [])];
  const places = models.map((model) => placeOfModel(model, cwd)).map(({ name, folder }) => name ?? folder);
  return shortName(JSON.stringify([read, shaping, places]), 16);
}
