/** Merges the configuration of a call, and finds the folder of its index. */
import type { OpenOptions } from '../api.ts';
import { type Config, loadConfig } from './config.ts';
import { placeOfModel } from './model-place.ts';
import { indexFolder, shortName } from './places.ts';

export type IndexLocation = ReturnType<typeof locateIndex>;

/** @returns the configuration and the absolute path of the index. @throws DocfuseError `config` */
export function locateIndex(options: OpenOptions) {
  const config = loadConfig(options);
  const roots = config.collections.map(({ root }) => root);
  const cwd = options.cwd ?? process.cwd();
  return { config, indexPath: indexFolder(roots, options.indexPath, config.indexPath, cwd) };
}

/** Digests collections, settings and models. Two configurations with equal digests give equal answers. */
export function digestConfig({ collections, settings }: Config, cwd = process.cwd()): string {
  const { server: _server, answer: _answer, ...shaping } = settings;
  const { embedding, search } = settings;
  // `trusted` is left out: it decides only whether a git repository is read.
  const read = collections.map(({ trusted: _trusted, ...collection }) => collection);
  const models = [embedding.model, ...(search.rerank_enabled ? [search.rerank_model] : [])];
  const places = models.map((model) => placeOfModel(model, cwd)).map(({ name, folder }) => name ?? folder);
  return shortName(JSON.stringify([read, shaping, places]), 16);
}
