/** Finds the running server of an index, if it is one that would answer as this process would. */
import type { OpenOptions } from '../../engine/api.ts';
import { digestConfig, locateIndex } from '../../engine/locate-index.ts';
import { readVersion } from '../../engine/version.ts';
import { requestJson } from './request-json.ts';
import { readServerLock, type ServerLock } from './server-lock.ts';

/** A server is given this long to say that it is there. */
const PATIENCE_MS = 2_000;

/**
 * The server of the index that these options mean: alive, of this version, with the same collections and settings.
 * @throws DocfuseError `config`
 */
export async function findServer(options: OpenOptions): Promise<ServerLock | undefined> {
  const { config, indexPath } = locateIndex(options);
  const lock = readServerLock(indexPath);
  if (lock?.version !== readVersion() || lock.config !== digestConfig(config, options.cwd)) return undefined;
  return (await answers(lock)) ? lock : undefined;
}

/** Whether the server that left this note, and no other, answers at its address. */
export async function answers(lock: ServerLock): Promise<boolean> {
  try {
    const { status, body } = await requestJson(lock, {
      method: 'GET',
      path: '/healthz',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return status === 200 && (body as { readonly run?: unknown } | null)?.run === lock.run;
  } catch {
    return false;
  }
}
