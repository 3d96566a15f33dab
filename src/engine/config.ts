/** Finds and reads `docfuse.toml`, and turns it with the overrides of a call into collections and settings. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { DocfuseError } from '../core/errors.ts';
import { TEXT_FILES } from '../core/model/text-files.ts';
import type { OpenOptions, SettingsOverride } from './api.ts';
import { nearest } from './nearest.ts';
import { userConfigFolder } from './places.ts';
import { PRESET_NAMES, PRESETS } from './presets.ts';
import { type Settings, settingsSchema } from './settings.ts';

const CONFIG_FILE = 'docfuse.toml';

const collectionSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[^/]+$/, 'a name without /')
    .optional()
    .describe('Shown in document ids. Default: name of the folder.'),
  path: z.string().min(1).describe('Folder or file, relative to the configuration file.'),
  include: z
    .array(z.string())
    .default([...TEXT_FILES])
    .describe('Globs of files to read.'),
  exclude: z.array(z.string()).default([]).describe('Globs of files to leave out.'),
});

/** The whole of `docfuse.toml`. */
export const configSchema = settingsSchema.extend({
  index_path: z.string().optional().describe('Folder of the index, relative to the configuration file.'),
  collections: z.array(collectionSchema).default([]).describe('Folders to search.'),
});

export interface Collection {
  readonly name: string;
  /** Absolute path of a folder, a file, or a judged corpus. */
  readonly root: string;
  readonly kind: 'folder' | 'corpus';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface Config {
  readonly collections: readonly Collection[];
  readonly settings: Settings;
  /** Absolute; absent when the configuration does not name one. */
  readonly indexPath?: string;
}

/**
 * @throws DocfuseError `config` naming the file, the key and the nearest known one
 */
export function loadConfig(options: OpenOptions): Config {
  const cwd = options.cwd ?? process.cwd();
  const file = options.config ? resolve(cwd, options.config) : findConfig(cwd);
  if (options.config && !existsSync(file!)) {
    throw new DocfuseError(
      'config',
      `There is no configuration file ${file}.`,
      'Check the path after --config.',
    );
  }
  const parsed = file ? readConfig(file) : configSchema.parse({});
  const base = file ? dirname(file) : cwd;
  const asked = [
    ...(options.roots ?? []).map((root) => folder(resolve(cwd, root))),
    ...(options.corpora ?? []).map((root) => ({ ...folder(resolve(cwd, root)), kind: 'corpus' as const })),
  ];
  const names = parsed.collections.map((entry) => entry.name).filter((name) => name !== undefined);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new DocfuseError(
      'config',
      `${file} names two collections "${twice}".`,
      'Give each a name of its own.',
    );
  }
  const configured = parsed.collections.map((entry) => {
    const root = resolve(base, entry.path);
    if (asked.length === 0 && !existsSync(root)) {
      throw new DocfuseError(
        'config',
        `${file}: the collection ${entry.path} is not at ${root}.`,
        'Correct its path, which is relative to the configuration file.',
      );
    }
    return {
      name: entry.name ?? basename(root),
      root,
      kind: 'folder' as const,
      include: entry.include,
      exclude: entry.exclude,
    };
  });
  const collections = asked.length > 0 ? asked : configured.length > 0 ? configured : [folder(resolve(cwd))];
  return {
    collections: withUniqueNames(withoutNested(collections)),
    settings: mergeSettings(parsed, presetOf(options), options.settings ?? {}),
    ...(parsed.index_path ? { indexPath: resolve(base, parsed.index_path) } : {}),
  };
}

function folder(root: string): Collection {
  return { name: basename(root) || 'root', root, kind: 'folder', include: TEXT_FILES, exclude: [] };
}

function findConfig(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, CONFIG_FILE);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) break;
  }
  const user = join(userConfigFolder(), CONFIG_FILE);
  return existsSync(user) ? user : undefined;
}

function readConfig(file: string): z.output<typeof configSchema> {
  let raw: unknown;
  try {
    raw = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const where = error instanceof TomlError ? `${file}:${error.line}` : file;
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new DocfuseError(
      'config',
      `${where} cannot be read: ${why}`,
      'Correct the line; values follow TOML.',
    );
  }
  return check(configSchema, raw, file);
}

/** A preset is chosen for one call, so it outweighs the file; a single setting of the call outweighs it. */
function presetOf({ preset = 'general' }: OpenOptions): SettingsOverride {
  if (Object.hasOwn(PRESETS, preset)) return PRESETS[preset];
  throw new DocfuseError('config', `There is no preset ${preset}.`, `Presets: ${PRESET_NAMES.join(', ')}.`);
}

function mergeSettings(base: Settings, ...overrides: readonly SettingsOverride[]): Settings {
  const own: Tree = Object.fromEntries(
    Object.keys(settingsSchema.shape).map((key) => [key, base[key as keyof Settings]]),
  );
  return check(settingsSchema, overrides.reduce(mergeDeep, own), 'the settings of this call');
}

type Tree = Readonly<Record<string, unknown>>;

/** `override` laid over `base`, section by section; anything but a section replaces what was there. */
function mergeDeep(base: Tree, override: Tree): Tree {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(override)) {
    const before = merged[key];
    merged[key] = isTree(before) && isTree(value) ? mergeDeep(before, value) : value;
  }
  return merged;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function check<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  // A mistyped name of a required key is two problems; the name is the one to mend.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const wrong = issue.keys[0]!;
    const known = keysAt(issue.path);
    const [suggestion] = nearest(wrong, known);
    throw new DocfuseError(
      'config',
      `${where} has an unknown key ${path ? `${path}.` : ''}${wrong}.`,
      suggestion ? `Did you mean ${suggestion}?` : `Known here: ${known.join(', ')}.`,
    );
  }
  const remedy =
    path === 'collections'
      ? 'Write each collection under its own [[collections]], with double brackets.'
      : `Give ${path} another value; docs/reference/settings.md lists what is allowed.`;
  throw new DocfuseError('config', `${where}: ${path}: ${lowerFirst(issue.message)}.`, remedy);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The part of JSON Schema that sections use. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Names allowed at a path of the configuration. */
function keysAt(path: readonly PropertyKey[]): string[] {
  let schema = z.toJSONSchema(configSchema, { io: 'input' }) as Schema;
  for (const step of path) {
    schema = (typeof step === 'number' ? schema.items : schema.properties?.[String(step)]) ?? {};
  }
  return Object.keys(schema.properties ?? {});
}

/** In the order of their paths, whatever order they were given in; a folder inside another is read once. */
function withoutNested(collections: readonly Collection[]): Collection[] {
  const sorted = collections.toSorted((a, b) => (a.root < b.root ? -1 : 1));
  return sorted.filter(
    ({ root, name }, index) =>
      !sorted
        .slice(0, index)
        .some(
          (other) =>
            other.name === basename(other.root) && name === basename(root) && isWithin(root, other.root),
        ),
  );
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** Two folders of one name become `notes` and `notes-2`, so that document ids stay unique. */
function withUniqueNames(collections: readonly Collection[]): Collection[] {
  const used = new Set<string>();
  return collections.map((collection) => {
    let name = collection.name;
    for (let n = 2; used.has(name); n++) name = `${collection.name}-${n}`;
    used.add(name);
    return { ...collection, name };
  });
}
