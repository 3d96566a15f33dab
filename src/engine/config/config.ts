/** Merges the configuration of a call. The last of these wins: defaults, user's file, project's file, environment, preset, call. */
import { dirname } from 'node:path';
import type * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { OpenOptions } from '../api.ts';
import { didYouMean, nearest } from '../nearest.ts';
import { type Collection, chooseCollections } from './collections.ts';
import { type ReadConfig, readConfigs } from './config-file.ts';
import { PLAINLY } from './describe-issue.ts';
import { type Environment, indexAt } from './places.ts';
import { PRESET_NAMES, PRESETS, type PresetName } from './presets.ts';
import {
  keysOf,
  mergeTrees,
  type SettingsTree,
  sectionsWith,
  settingKeys,
  settingValue,
  treeWith,
} from './setting-keys.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { isTrustedFolder } from './trusted-folder.ts';
import { describeLeftOut, type LeftOut, withoutUntrusted } from './without-untrusted.ts';

export const SETTING_SOURCES = ['default', 'user', 'project', 'environment', 'preset', 'call'] as const;

/** Where the value of a setting comes from. */
export interface Origin {
  readonly source: (typeof SETTING_SOURCES)[number];
  /** `file:line`, or the name of the variable or preset; absent if the source is `default` or `call`. */
  readonly where?: string;
}

export interface Config {
  readonly collections: readonly Collection[];
  readonly settings: Settings;
  /** Absolute; absent if the configuration names no folder for the index. */
  readonly indexPath?: string;
  /** Files that were read. Settings of a later file override those of an earlier file. */
  readonly files: readonly Pick<ReadConfig, 'file' | 'role' | 'trusted'>[];
  /** Where settings come from, by full name, such as `search.top_n`. A setting that is not in the map has its default. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Where the collections and the folder of the index come from, such as a file or the call. */
  readonly places: { readonly collections: Origin; readonly indexPath: Origin };
  /** Keys that have no effect, because the file that sets them is not trusted. */
  readonly leftOut?: LeftOut;
  settingsUnder(preset: PresetName): Settings;
}

/** @throws DocfuseError `config` with the file and line, the wrong key and the nearest known key */
export function loadConfig(options: OpenOptions, env: Environment = process.env): Config {
  const cwd = options.cwd ?? process.cwd();
  const read = readConfigs(cwd, options.config);
  const part = read.at(-1)?.trusted === false ? withoutUntrusted(read.at(-1)!, cwd) : undefined;
  const files = part ? [...read.slice(0, -1), part.read] : read;
  const environment: Layer = {
    tree: environmentSettings(env),
    originOf: (key) => ({ source: 'environment', where: environmentName(key) }),
  };
  const below = [...files.map(fileLayer), environment];
  const call: Layer = {
    tree: (options.settings ?? {}) as SettingsTree,
    originOf: () => ({ source: 'call' }),
  };
  const layersUnder = (preset: PresetName) => [...below, presetLayer(preset), call];
  const layers = layersUnder(options.preset ?? 'general');
  // Collections and the folder of the index come from the last file alone. In a project, this is the project's file.
  const place = files.at(-1);
  const trust = files.flatMap(({ whole, trusted }) => (trusted ? whole.trust : []));
  const indexPath = place?.whole.index_path;
  const settings = settingsOf(layers);
  const origins = originsOf(layers);
  const places = placesOf(options, place, env);
  // A setting removed from an untrusted file is not reported if the environment, the preset or the call sets it.
  const missed = part?.leftOut.filter((key) => !OUTWEIGHING.has(originIn({ origins, places }, key)?.source));
  return {
    collections: chooseCollections(options, place, cwd).map((collection) =>
      isTrustedFolder(collection.root, trust) ? { ...collection, trusted: true } : collection,
    ),
    settings,
    settingsUnder: (preset) => settingsOf(layersUnder(preset)),
    ...(place && indexPath ? { indexPath: indexAt(indexPath, dirname(place.file)) } : {}),
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
  // Each file and the environment were already checked alone. An error here is in the call, or settings contradict each other.
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

/** A preset is chosen for one call: it overrides files and environment, and single settings of the call override it. */
function presetLayer(preset: PresetName): Layer {
  if (Object.hasOwn(PRESETS, preset)) {
    return { tree: PRESETS[preset] as SettingsTree, originOf: () => ({ source: 'preset', where: preset }) };
  }
  throw new DocfuseError('config', `There is no preset ${preset}.`, `Presets: ${PRESET_NAMES.join(', ')}.`);
}

function wrong(issue: z.core.$ZodIssue, origins: Config['origins']): DocfuseError {
  const { code, path, message } = issue;
  const key = path.join('.');
  const known = settingKeys();
  // Settings that contradict each other may come from different places, so the error says where each comes from.
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

const PREFIX = 'DOCFUSE_';

export function environmentName(key: string): string {
  return PREFIX + key.replaceAll('.', '_').toUpperCase();
}

/**
 * Reads the settings of environment variables. Empty variables are ignored.
 * @throws DocfuseError `config` for a variable with an unknown setting or a wrong value
 */
export function environmentSettings(env: Environment): SettingsTree {
  const sections = Object.keys(settingsSchema.shape).map((section) => `${environmentName(section)}_`);
  const given = Object.entries(env).filter(([name]) => sections.some((section) => name.startsWith(section)));
  if (given.length === 0) return {};
  const known = new Map([...settingKeys()].map(([key, schema]) => [environmentName(key), { key, schema }]));
  let tree: SettingsTree = {};
  for (const [name, text] of given) {
    if (!text) continue;
    const setting = known.get(name);
    if (!setting) {
      throw new DocfuseError(
        'config',
        `There is no setting for the environment variable ${name}.`,
        didYouMean(nearest(name, known.keys()), 'Unset it, or see docs/reference/settings.md.'),
      );
    }
    const one = treeWith(setting.key, settingValue(text.trim(), setting.schema));
    // Looks only for issues of this setting. Checks of several settings together run later, when all settings are known.
    const issues = settingsSchema.safeParse(one, PLAINLY).error?.issues ?? [];
    const wrong = issues.find(
      ({ path }) => path.slice(0, setting.key.split('.').length).join('.') === setting.key,
    );
    if (wrong) {
      throw new DocfuseError(
        'config',
        `${name}: ${wrong.message}.`,
        `${setting.key}: ${setting.schema.description}`,
      );
    }
    tree = mergeTrees(tree, one);
  }
  return tree;
}
