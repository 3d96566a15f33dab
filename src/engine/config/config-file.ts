/** Finds, reads and checks configuration files. */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { LANGUAGE_CODES, LANGUAGES, type LanguageCode } from '../../core/text/languages.ts';
import { didYouMean, nearest } from '../nearest.ts';
import { foreignOwner } from '../own-file.ts';
import { foldersUp, realPath } from '../path-inside.ts';
import { type ConfigFile, configSchema, keysAt } from './config-schema.ts';
import { PLAINLY } from './describe-issue.ts';
import { userConfigFolder } from './places.ts';
import { type SettingsTree, sectionsWith, valueAt } from './setting-keys.ts';
import { lineOfKey } from './toml-text.ts';
import { isTrustedFolder } from './trusted-folder.ts';

export const CONFIG_FILE = 'docfuse.toml';

export interface ReadConfig {
  /** Absolute. */
  readonly file: string;
  readonly role: 'user' | 'project';
  /** True for the user's own file, a file that the call names, and a file in a trusted folder. Other files may not set services. */
  readonly trusted: boolean;
  /** The file's settings without defaults. */
  readonly tree: SettingsTree;
  /** The file's settings with defaults. */
  readonly whole: ConfigFile;
  /** 1-based line of a key; undefined for a key that the file does not set. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

function userConfigFile(): string {
  return join(userConfigFolder(), CONFIG_FILE);
}

/**
 * Reads the user's file, then the project's file, each if it exists. The project's file is the nearest one at or above `cwd`.
 * @param asked a file to read instead of the project's file
 * @throws DocfuseError `config` with file, line and the nearest known key; also if the project's file belongs to another user,
 *   its folder is not trusted, and the call does not name the file
 */
export function readConfigs(cwd: string, asked: string | undefined): readonly ReadConfig[] {
  const user = isThere(userConfigFile()) ? readConfig(userConfigFile(), 'user') : undefined;
  const own = user === undefined ? [] : [{ ...user, trusted: true }];
  const nearby = foldersUp(cwd).map((folder) => join(folder, CONFIG_FILE));
  const project = asked === undefined ? nearby.find(isThere) : resolve(cwd, asked);
  if (project === undefined) return own;
  if (asked !== undefined && !existsSync(project)) {
    throw new DocfuseError(
      'config',
      `There is no configuration file ${project}.`,
      'Check the path after --config.',
    );
  }
  if (user && realPath(project) === realPath(user.file)) return own;
  if (asked !== undefined) return [...own, { ...readConfig(project, 'project'), trusted: true }];
  const trusted = isTrustedFolder(dirname(project), user?.whole.trust ?? []);
  const other = trusted ? undefined : foreignOwner(project);
  // Another user's file could decide which private folders are read, and where their text is copied.
  if (other !== undefined)
    throw new DocfuseError(
      'config',
      `${project} belongs to ${other}, not to you, and its folder is not trusted.`,
      `To use its settings, ${howToTrust(project, user)}, or pass --config ${project}.`,
    );
  const read = readConfig(project, 'project');
  // Looks for the key in the parsed tree, not in the text, where escapes may hide the key.
  if (!Object.hasOwn(read.tree, 'trust')) return [...own, { ...read, trusted }];
  throw new DocfuseError(
    'config',
    `${project}:${read.lineOf(['trust']) ?? 1}: only your own configuration file may list trusted folders.`,
    `Move trust to ${userConfigFile()}.`,
  );
}

/** Says how to trust the folder of a configuration file: what to write into the user's own file, which may not exist yet. */
export function howToTrust(file: string, user: Pick<ReadConfig, 'lineOf'> | undefined): string {
  const line = user?.lineOf(['trust']);
  const folder = JSON.stringify(dirname(file));
  return line === undefined
    ? `write trust = [${folder}] at the top of your own file, ${userConfigFile()}${user ? '' : ' (which does not exist yet)'}`
    : `add ${folder} to trust (${userConfigFile()}:${line})`;
}

/** Whether there is a file or a link. A broken link counts: skipping it would silently apply other settings. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function readConfig(file: string, role: ReadConfig['role']): Omit<ReadConfig, 'trusted'> {
  const text = readText(file);
  const tree = parseToml(text, file);
  const lineOf = (path: readonly PropertyKey[]) => lineOfKey(text, path);
  const checked = configSchema.safeParse(tree, PLAINLY);
  if (!checked.success) throw toError(checked.error, tree, file, lineOf);
  return { file, role, tree, whole: checked.data, lineOf };
}

const MAX_BYTES = 1_048_576;

function readText(file: string): string {
  let opened: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer. Only a regular file is read: a device may have no end.
    opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(opened);
    if (!stats.isFile())
      throw unreadable(file, stats.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    if (stats.size > MAX_BYTES) throw unreadable(file, 'it is larger than 1 MiB');
    return readFileSync(opened, 'utf8');
  } catch (error) {
    if (error instanceof DocfuseError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      EISDIR: 'it is a folder',
      ENOENT: 'it is a link to a file that does not exist',
      ELOOP: 'it is a link to itself',
    };
    throw unreadable(file, reasons[code ?? ''] ?? `${code}`, error);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function unreadable(file: string, reason: string, cause?: unknown): DocfuseError {
  const inside = join(file, CONFIG_FILE);
  return new DocfuseError(
    'config',
    `${file} cannot be read: ${reason}.`,
    existsSync(inside)
      ? `Did you mean ${inside}?`
      : 'Replace it by a file that you may read, or name another file with --config.',
    { cause },
  );
}

function parseToml(text: string, file: string): SettingsTree {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new DocfuseError(
      'config',
      `${file}:${error.line} cannot be read: ${error.message.split('\n', 1)[0]}`,
      'Correct the line: the file must be valid TOML.',
    );
  }
}

function toError(
  { issues }: z.ZodError,
  tree: SettingsTree,
  file: string,
  lineOf: ReadConfig['lineOf'],
): DocfuseError {
  // A mistyped required key causes two issues: a missing key and an unknown key. The unknown key is the one to correct.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
  const path = issue.path.join('.');
  const place = (keys: readonly PropertyKey[]) => {
    const line = lineOf(keys);
    return line === undefined ? file : `${file}:${line}`;
  };
  if (issue.code === 'unrecognized_keys') {
    const wrong = issue.keys[0]!;
    const known = keysAt(issue.path);
    const sections = sectionsWith(wrong).map((name) => `[${name}]`);
    return new DocfuseError(
      'config',
      `${place([...issue.path, wrong])} has an unknown key ${path ? `${path}.` : ''}${wrong}.`,
      sections.length > 0
        ? `It belongs under ${sections.join(' or ')}.`
        : didYouMean(nearest(wrong, known), `Known here: ${known.join(', ')}.`),
    );
  }
  if (issue.path[0] === 'collections' && issue.path[2] === 'language') {
    return unknownLanguage(valueAt(tree, issue.path), place(issue.path));
  }
  const isMissing = valueAt(tree, issue.path) === undefined;
  const what = isMissing ? `Write ${String(issue.path.at(-1))} = … there` : 'Give it another value';
  const remedy =
    path === 'collections'
      ? 'Write each collection under its own [[collections]], with double brackets.'
      : (issue.code === 'custom' && issue.params?.remedy) ||
        `${what}; docs/reference/settings.md lists what is allowed.`;
  return new DocfuseError('config', `${place(issue.path)}: ${spoken(issue.path)}: ${issue.message}.`, remedy);
}

/** Writes `collections.0.path` as `path of collections number 1`. */
function spoken([first, index, ...rest]: readonly PropertyKey[]): string {
  if (typeof index === 'number')
    return `${rest.length > 0 ? `${rest.join('.')} of ` : ''}${String(first)} number ${index + 1}`;
  return [first, ...(index === undefined ? [] : [index]), ...rest].join('.');
}

/** Returns the error for an unknown language. It suggests the nearest code, also for a name such as `german`. */
function unknownLanguage(given: unknown, place: string): DocfuseError {
  const codes = new Map<string, LanguageCode>(
    LANGUAGE_CODES.flatMap((code) => [code, LANGUAGES[code].name].map((name) => [name, code] as const)),
  );
  const code = codes.get(nearest(String(given), codes.keys())[0] ?? '');
  const suggestion = code === undefined ? '' : `Did you mean ${code} (${LANGUAGES[code].name})? `;
  return new DocfuseError(
    'config',
    `${place}: there is no language ${JSON.stringify(given)}.`,
    `${suggestion}Known: ${LANGUAGE_CODES.join(', ')}.`,
  );
}
