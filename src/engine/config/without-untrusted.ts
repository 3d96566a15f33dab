/** Removes, from an untrusted configuration file, settings that only the user may decide, and describes what was removed. */
import { dirname } from 'node:path';
import { safeJson } from '../../core/text/one-line.ts';
import { pathInside, realPath } from '../path-inside.ts';
import { howToTrust, type ReadConfig } from './config-file.ts';
import { embeddingTraits } from './embedding-traits.ts';
import { isNamedModel } from './model-place.ts';
import { resolveInstalled } from './resolve-root.ts';
import { keysOf, type SettingsTree, valueAt } from './setting-keys.ts';
import type { Settings } from './settings.ts';
import { isSiteAddress } from './site-place.ts';
import { isLoopback, withoutUsers } from './web-names.ts';

/** Whether a setting's value names a service, a secret or a file, gives other machines access, or lets the web page save grades. */
type IsRisky = (value: unknown, file: SettingsTree, cwd: string) => boolean;

const always: IsRisky = () => true;
const isFolder: IsRisky = (value, _, cwd) => !isNamedModel(String(value), cwd);
const isList: IsRisky = (value) => (value as readonly unknown[]).length > 0;
const isOfService: IsRisky = (_, file) => isService(valueAt(file, 'embedding.provider') ?? 'local');

/** Settings that can be risky. A test lists the harmless settings; it fails for a new setting that is in neither list. */
export const RISKY: Readonly<Record<string, IsRisky>> = {
  index_path: always,
  'embedding.provider': (value) => isService(value),
  'embedding.base_url': always,
  'embedding.api_key_env': always,
  // If `embedding.provider` is removed, the model is removed too: otherwise its name would be looked up on this machine.
  'embedding.model': (...given) => isOfService(...given) || isFolder(...given),
  'embedding.multilingual_model': isFolder,
  'embedding.dimensions': isOfService,
  'embedding.query_prefix': isOfService,
  'embedding.passage_prefix': isOfService,
  'embedding.query_input_type': isOfService,
  'embedding.passage_input_type': isOfService,
  'search.rerank_model': isFolder,
  'search.rerank_base_url': always,
  'search.rerank_api_key_env': always,
  'answer.base_url': always,
  'answer.api_key_env': always,
  'answer.model': (_, file) => valueAt(file, 'answer.base_url') !== undefined,
  // The settings of `qdrant` and `postgres` decide where the documents are sent.
  'qdrant.url': always,
  'qdrant.name': always,
  'qdrant.api_key_env': always,
  'qdrant.shards': always,
  'qdrant.replicas': always,
  'qdrant.write_consistency': always,
  'postgres.url': always,
  'postgres.name': always,
  'postgres.password_env': always,
  'postgres.connections': always,
  'postgres.readers': always,
  'postgres.workers': always,
  'server.host': (value) => !isLoopback(String(value)),
  'server.allowed_hosts': isList,
  'server.allowed_origins': isList,
  'server.token_env': always,
  'server.judge': (value) => value === true,
};

/** @returns `read`: the file without the removed settings; `leftOut`: their paths, such as `embedding.base_url` */
export function withoutUntrusted(
  read: ReadConfig,
  cwd: string,
): { readonly read: ReadConfig; readonly leftOut: readonly string[] } {
  const { file, tree, whole } = read;
  const settings = keysOf(tree).filter((key) => RISKY[key]?.(valueAt(tree, key), tree, cwd));
  const folder = realPath(dirname(file));
  // A site counts as outside the folder of the file, whether the site was added or not.
  const isInside = (path: string) =>
    !isSiteAddress(path) &&
    resolveInstalled(path, dirname(file)).every((root) => pathInside(folder, realPath(root)) !== undefined);
  const kept = whole.collections.flatMap(({ path }, place) => (isInside(path) ? [place] : []));
  const outside = [...whole.collections.keys()].filter((place) => !kept.includes(place));
  const { index_path: _place, ...rest } = whole;
  return {
    read: {
      ...read,
      tree: settings.reduce(withoutKey, tree),
      whole: { ...rest, collections: kept.map((place) => whole.collections[place]!) },
      lineOf(path) {
        const [first, place, ...more] = path;
        if (settings.includes(path.join('.'))) return undefined;
        if (first !== 'collections' || typeof place !== 'number') return read.lineOf(path);
        return place < kept.length ? read.lineOf([first, kept[place]!, ...more]) : undefined;
      },
    },
    leftOut: [...settings, ...outside.map((place) => `collections.${place}.path`)],
  };
}

/** @param provider a valid provider, because the file was checked when it was read */
function isService(provider: unknown): boolean {
  return embeddingTraits({ provider: provider as Settings['embedding']['provider'] }).isService;
}

function withoutKey(tree: SettingsTree, key: string): SettingsTree {
  const [first = '', ...inner] = key.split('.');
  const { [first]: value, ...rest } = tree;
  return inner.length === 0 ? rest : { ...rest, [first]: withoutKey(value as SettingsTree, inner.join('.')) };
}

export interface LeftOut {
  /** Paths of the removed settings, such as `embedding.base_url` and `collections.0.path`. */
  readonly keys: readonly string[];
  /** One sentence with the file, and the name, value and line of each removed setting. */
  readonly message: string;
  readonly remedy: string;
}

/** Max characters of a value in the message. */
const SHOWN = 60;

/**
 * @param read the complete file, with the removed settings
 * @param user the user's own file, if it exists
 */
export function describeLeftOut(
  keys: readonly string[],
  { file, tree, lineOf }: ReadConfig,
  user: ReadConfig | undefined,
): LeftOut {
  const parts = keys.map((key) => {
    const what = key.startsWith('collections.') ? 'the path of a collection outside the file’s folder' : key;
    return `${what} = ${shown(valueAt(tree, key))} (line ${lineOf(key.split('.')) ?? 1})`;
  });
  return {
    keys,
    message: `${file} is not trusted, so docfuse ignores ${new Intl.ListFormat('en').format(parts)}.`,
    remedy: `To use these settings, ${howToTrust(file, user)}, or pass --config ${file}.`,
  };
}

/** Writes a value as JSON on one line, cut to `SHOWN` characters. Of an address, only scheme and host: the rest may be a key. */
function shown(value: unknown): string {
  const short = (each: unknown) => (typeof each === 'string' ? withoutUsers(hostOnly(each)) : each);
  const text = safeJson(Array.isArray(value) ? value.map(short) : short(value ?? null));
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}

function hostOnly(text: string): string {
  const at = text.indexOf('://');
  if (at < 0) return text;
  const { protocol, host } = URL.parse(text) ?? {};
  if (!host) return `${text.slice(0, at)}://…`;
  const origin = `${protocol}//${host}`;
  return text === origin ? text : `${origin}/…`;
}
