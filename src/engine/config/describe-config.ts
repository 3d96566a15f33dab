/** The configuration of a call, laid out for people: every setting with its value and where it comes from. */
import type { OpenOptions } from '../api.ts';
import { requireRoot } from '../require-root.ts';
import type { Collection } from './collections.ts';
import { type Config, loadConfig, type Origin } from './config.ts';
import { indexFolder } from './places.ts';
import { settingKeys, valueAt } from './setting-keys.ts';

export interface ConfigDescription {
  readonly files: Config['files'];
  readonly leftOut?: Config['leftOut'];
  readonly indexPath: string;
  readonly indexPathOrigin: Origin;
  readonly collectionsOrigin: Origin;
  readonly collections: readonly Pick<
    Collection,
    'name' | 'root' | 'kind' | 'include' | 'exclude' | 'language'
  >[];
  readonly settings: readonly (Origin & { readonly key: string; readonly value?: unknown })[];
}

/** @throws DocfuseError `config`; `not_found` for a root that is not there */
export function describeConfig(options: OpenOptions): ConfigDescription {
  const { files, leftOut, collections, settings, indexPath, origins, places } = loadConfig(options);
  const roots = collections.map(({ root }) => root);
  for (const root of roots) requireRoot(root);
  return {
    files,
    ...(leftOut && { leftOut }),
    indexPath: indexFolder(roots, options.indexPath, indexPath, options.cwd ?? process.cwd()),
    indexPathOrigin: places.indexPath,
    collectionsOrigin: places.collections,
    collections: collections.map(({ name, root, kind, include, exclude, language }) => {
      return { name, root, kind, include, exclude, language };
    }),
    settings: [...settingKeys().keys()].map((key) => {
      const value = valueAt(settings, key);
      return {
        key,
        ...(value === undefined ? {} : { value }),
        ...(origins.get(key) ?? { source: 'default' }),
      };
    }),
  };
}
