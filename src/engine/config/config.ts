/** Puts the configuration of a call together: defaults < user's file < project's file < environment < preset < the call. */
import { dirname, resolve } from 'node:path';
import type * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { OpenOptions } from '../api.ts';
import { type Collection, chooseCollections } from './collections.ts';
import { type ReadConfig, readConfigs } from './config-file.ts';
import { PLAINLY } from './describe-issue.ts';
import { environmentName, environmentSettings } from './environment-settings.ts';
import type { Environment } from './places.ts';
import { PRESET_NAMES, PRESETS, type PresetName } from './presets.ts';
import { keysOf, mergeTrees, type SettingsTree, sectionsWith, settingKeys } from './setting-keys.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { isTrustedFolder } from './trusted-folder.ts';
import { describeLeftOut, type LeftOut, withoutUntrusted } from './without-untrusted.ts';

export const SETTING_SOURCES = ['default', 'user', 'project', 'environment', 'preset', 'call'] as const;

/** Where the value of a setting comes from. */
export interface Origin {
  readonly source: (typeof SETTING_SOURCES)[number];
  /** `file:line`, the variable, or the preset; absent where there is no more to say. */
  readonly where?: string;
}

export interface Config {
  readonly collections: readonly Collection[];
  readonly settings: Settings;
  /** Absolute; absent when the configuration does not name one. */
  readonly indexPath?: string;
  /** Files that were read, the stronger last. */
  readonly files: readonly Pick<ReadConfig, 'file' | 'role' | 'trusted'>[];
  /** By whole name, such as `search.top_n`; a setting that is not here has its default. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The file that names the collections and the place of the index. */
  readonly places: { readonly collections: Origin; readonly indexPath: Origin };
  /** Keys of a found file that only the user may decide; they have no effect. */
  readonly leftOut?: LeftOut;
  /** The settings as they are under another preset than that of the call. */
  settingsUnder(preset: PresetName): Settings;
}

/**
 * @throws DocfuseError `config` naming the file with its line, the key and the nearest known one
 */
export function loadConfig(options: OpenOptions, env: Environment = process.env): Config {
  const cwd = options.cwd ?? process.cwd();
  const read = readConfigs(cwd, options.config);
  const part = read.at(-1)?.trusted === false ? withoutUntrusted(read.at(-1)!, cwd) : undefined;
  const files = part ? [...read.slice(0, -1), part.read] : read;
  const [below, call] = [[...files.map(fileLayer), environmentLayer(env)], callLayer(options)];
  const layersUnder = (preset: PresetName) => [...below, presetLayer(preset), call];
  const layers = layersUnder(options.preset ?? 'general');
  // One file decides where documents and index are: the user's collections are not those of a project.
  const place = files.at(-1);
  const trust = files.flatMap(({ whole, trusted }) => (trusted ? whole.trust : []));
  const indexPath = place?.whole.index_path;
  const settings = settingsOf(layers);
  const origins = originsOf(layers);
  const places = placesOf(options, place, env);
  // A setting overridden by the call or the environment is not reported.
  const missed = part?.leftOut.filter((key) => !OUTWEIGHING.has(originIn({ origins, places }, key)?.source));
  return {
    collections: chooseCollections(options, place, cwd).map((collection) =>
      isTrustedFolder(collection.root, trust) ? { ...collection, trusted: true } : collection,
    ),
    settings,
    settingsUnder: (preset) => settingsOf(layersUnder(preset)),
    ...(place && indexPath ? { indexPath: resolve(dirname(place.file), indexPath) } : {}),
    files: files.map(({ file, role, trusted }) => ({ file, role, trusted })),
    origins,
    places,
    ...(missed?.length && { leftOut: describeLeftOut(missed, read.at(-1)!, read.at(-2)) }),
  };
}

const OUTWEIGHING: ReadonlySet<string | undefined> = new Set(['environment', 'preset', 'call']);

function originIn({ origins, places }: Pick<Config, 'origins' | 'places'>, key: string): Origin | undefined {
  if (key === 'index_path') return places.indexPath;
  return key.startsWith('collections.') ? places.collections : origins.get(key);
}

function placesOf(
  { roots = [], corpora = [], indexPath }: OpenOptions,
  file: ReadConfig | undefined,
  env: Environment,
): Config['places'] {
  const call: Origin = { source: 'call' };
  const variable: Origin = { source: 'environment', where: 'DOCFUSE_INDEX' };
  const inFile = (...key: readonly PropertyKey[]): Origin => {
    const line = file?.lineOf(key);
    if (!file || line === undefined) return { source: 'default' };
    return { source: file.role, where: `${file.file}:${line}` };
  };
  return {
    collections: roots.length + corpora.length > 0 ? call : inFile('collections', 0),
    indexPath: indexPath ? call : env.DOCFUSE_INDEX ? variable : inFile('index_path'),
  };
}

interface Layer {
  readonly tree: SettingsTree;
  readonly originOf: (key: string) => Origin;
}

function settingsOf(layers: readonly Layer[]): Settings {
  const merged = layers.map(({ tree }) => tree).reduce(mergeTrees, {});
  const settings = settingsSchema.safeParse(merged, PLAINLY);
  // Files and environment were checked one by one, so what is wrong comes from the call, or from settings that do not go together.
  if (!settings.success) throw wrong(settings.error.issues[0]!, originsOf(layers));
  return settings.data;
}

function originsOf(layers: readonly Layer[]): Config['origins'] {
  return new Map(
    layers.flatMap(({ tree, originOf }) => keysOf(tree).map((key) => [key, originOf(key)] as const)),
  );
}

function fileLayer({ file, role, tree, lineOf }: ReadConfig): Layer {
  const { index_path: _path, collections: _collections, trust: _trust, ...settings } = tree;
  return {
    tree: settings,
    originOf: (key) => ({ source: role, where: `${file}:${lineOf(key.split('.')) ?? 1}` }),
  };
}

function environmentLayer(env: Environment): Layer {
  return {
    tree: environmentSettings(env),
    originOf: (key) => ({ source: 'environment', where: environmentName(key) }),
  };
}

/** A preset is chosen for one call, so it outweighs files and environment; a single setting of the call outweighs it. */
function presetLayer(preset: PresetName): Layer {
  if (Object.hasOwn(PRESETS, preset)) {
    return { tree: PRESETS[preset] as SettingsTree, originOf: () => ({ source: 'preset', where: preset }) };
  }
  throw new DocfuseError('config', `There is no preset ${preset}.`, `Presets: ${PRESET_NAMES.join(', ')}.`);
}

function callLayer({ settings = {} }: OpenOptions): Layer {
  return { tree: settings as SettingsTree, originOf: () => ({ source: 'call' }) };
}

function wrong(issue: z.core.$ZodIssue, origins: Config['origins']): DocfuseError {
  const { code, path, message } = issue;
  const key = path.join('.');
  const known = settingKeys();
  // Settings that do not go together may come from different places: their section's own check names them.
  const places = (code === 'custom' ? message : '')
    .split(/\W+/)
    .map((word) => `${key}.${word}`)
    .filter((name) => known.has(name))
    .map((name) => {
      const { source, where = source } = origins.get(name) ?? { source: 'default' };
      return `${name} from ${where}`;
    });
  const sections = issue.code === 'unrecognized_keys' ? sectionsWith(issue.keys[0]!) : [];
  return new DocfuseError(
    'config',
    `The settings are wrong: ${key ? `${key}: ` : ''}${message}${places.length > 0 ? ` (${places.join(', ')})` : ''}.`,
    sections.length > 0
      ? `It belongs under ${sections.join(' or ')}.`
      : 'docs/reference/settings.md lists what is allowed.',
  );
}
