/** Where docfuse keeps things on this machine: never beside the documents. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { realPath } from '../path-inside.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Folder of the user's configuration file. */
export function userConfigFolder(env: Environment = process.env, platform = process.platform): string {
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'docfuse');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'docfuse');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'docfuse');
}

/** Folder under which indexes are kept. */
function userDataFolder(env: Environment = process.env, platform = process.platform): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'docfuse');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'docfuse');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'docfuse');
}

/** Folder of state for this user on this machine that belongs to no index. */
export function userStateFolder(env: Environment = process.env, platform = process.platform): string {
  if (platform === 'win32' || platform === 'darwin') return join(userDataFolder(env, platform), 'state');
  const { XDG_STATE_HOME: asked = '' } = env;
  return join(isAbsolute(asked) ? asked : join(homedir(), '.local', 'state'), 'docfuse');
}

/**
 * Folder of the index for a set of roots: `--index`, else `DOCFUSE_INDEX`, else `index_path`,
 * else one folder per set of roots in the user's data folder.
 */
export function indexFolder(
  roots: readonly string[],
  asked: string | undefined,
  configured: string | undefined,
  cwd: string,
  env: Environment = process.env,
): string {
  const explicit = askedIndex(asked, cwd, env);
  if (explicit) return explicit;
  if (configured) return configured;
  const label = (roots[0] ?? '').split(/[\\/]/).filter(Boolean).at(-1) ?? 'root';
  return join(
    indexesFolder(env),
    `${label.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 40)}-${shortName([...roots].sort().join('\n'), 12)}`,
  );
}

/** Folder under which indexes are kept, unless another place was chosen for one. */
export function indexesFolder(env: Environment = process.env): string {
  return join(userDataFolder(env), 'indexes');
}

/** Folder of the index that `--index`, else `DOCFUSE_INDEX` names; undefined where neither does. */
export function askedIndex(
  asked: string | undefined,
  cwd: string,
  env: Environment = process.env,
): string | undefined {
  const named = asked ?? env.DOCFUSE_INDEX;
  return named ? resolve(cwd, named) : undefined;
}

/** Folder under which pulled models are kept. */
export function modelsFolder(env: Environment = process.env): string {
  return join(userDataFolder(env), 'models');
}

/** Folder of the models that come with the package, found from `src/` and from `dist/` alike. */
export function packagedModels(): string {
  return realPath(fileURLToPath(new URL('../../../models', import.meta.url)));
}

/**
 * A short name for a text: the first digits of its SHA-256, in hexadecimal. Loading the hashes of Node would take a cold command
 * longer than this computation.
 */
export function shortName(text: string, digits: number): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, digits);
}
