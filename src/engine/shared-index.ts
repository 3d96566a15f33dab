/** An open index that a process keeps for many callers. */
import type { Index } from './api.ts';

/** The same index, which stays open when it is closed or disposed of; it belongs to someone else. */
export function lendIndex(index: Index): Index {
  const keep = async () => {};
  return { ...index, close: keep, [Symbol.asyncDispose]: keep };
}

/** After some ten searches a further one is hardly faster. */
const QUERIES = 10;

/**
 * Searches for titles of documents, so that the first real search finds model and vectors in memory and the code compiled. Errors are
 * left to that search.
 */
export async function warmUp(index: Index, signal: AbortSignal): Promise<void> {
  try {
    const { documents } = await index.list({ limit: QUERIES });
    for (const { title } of documents) await index.search(title, { signal });
  } catch {}
}
