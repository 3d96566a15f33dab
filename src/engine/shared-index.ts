/** An open index that a process keeps for many callers. */
import type { Index } from './api.ts';

/** Returns an index whose `close` and disposal do nothing: its owner closes the real index. */
export function lendIndex(index: Index): Index {
  const keep = async () => {};
  return { ...index, close: keep, [Symbol.asyncDispose]: keep };
}

/** Number of searches; after about ten, more of them hardly make later searches faster. */
const QUERIES = 10;

/**
 * Searches for titles of documents, to load model and vectors and to compile code before the first real search. Ignores
 * errors: the first real search reports them.
 */
export async function warmUp(index: Index, signal: AbortSignal): Promise<void> {
  try {
    const { documents } = await index.list({ limit: QUERIES });
    for (const { title } of documents) await index.search(title, { signal });
  } catch {}
}
