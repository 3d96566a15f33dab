/** Folders where docfuse keeps its files on this machine, never beside the documents. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { realPath } from '../path-inside.ts';
import { readPublishedAddress } from './published-address.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export function userConfigFolder(): string {
  const { env, platform } = process;
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'docfuse');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'docfuse');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'docfuse');
}

/** Returns the folder for indexes, models and web sites. */
function userDataFolder(): string {
  const { env, platform } = process;
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'docfuse');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'docfuse');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'docfuse');
}

/** Returns the folder of the user's state that belongs to no index. */
export function userStateFolder(): string {
  const { platform, env } = process;
  if (platform === 'win32' || platform === 'darwin') return join(userDataFolder(), 'state');
  const { XDG_STATE_HOME: asked = '' } = env;
  return join(isAbsolute(asked) ? asked : join(homedir(), '.local', 'state'), 'docfuse');
}

/**
 * Returns the folder of the index for a set of roots: `--index`, else `DOCFUSE_INDEX`, else `index_path`,
 * else a folder in the user's data folder that only this set of roots uses.
 */
export function indexFolder(
  roots: readonly string[],
  asked: string | undefined,
  configured: string | undefined,
  cwd: string,
): string {
  const explicit = askedIndex(asked, cwd);
  if (explicit) return explicit;
  if (configured) return configured;
  const label = (roots[0] ?? '').split(/[\\/]/).filter(Boolean).at(-1) ?? 'root';
  return join(
    indexesFolder(),
    `${label.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 40)}-${shortName([...roots].sort().join('\n'), 12)}`,
  );
}

/** Returns the folder that contains every index for which the user chose no other folder. */
export function indexesFolder(): string {
  return join(userDataFolder(), 'indexes');
}

export function sitesFolder(): string {
  return join(userDataFolder(), 'sites');
}

/** Returns the absolute path of an index. The address of an index on a server is returned unchanged. */
export function indexAt(path: string, cwd: string): string {
  return readPublishedAddress(path) ? path : resolve(cwd, path);
}

/** Returns the folder or address of a server that `--index` names, else that of `DOCFUSE_INDEX`; undefined if neither names one. */
export function askedIndex(asked: string | undefined, cwd: string): string | undefined {
  const named = asked ?? process.env.DOCFUSE_INDEX;
  return named ? indexAt(named, cwd) : undefined;
}

export function modelsFolder(): string {
  return join(userDataFolder(), 'models');
}

/** Returns the folder of the models that come with the package. The relative path is correct in `src/` and in `dist/`. */
export function packagedModels(): string {
  return realPath(fileURLToPath(new URL('../../../models', import.meta.url)));
}

/**
 * Makes a short name for a text: the first hexadecimal digits of its SHA-256. A library in JavaScript computes it, because loading
 * `node:crypto` at start-up takes longer.
 */
export function shortName(text: string, digits: number): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, digits);
}
