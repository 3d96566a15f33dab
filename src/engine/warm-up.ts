/** Runs searches in advance, so that the first real one finds model and vectors in memory and the code compiled. */
import type { Index } from './api.ts';

/** After some ten searches a further one is hardly faster. */
const QUERIES = 10;

/** Searches for titles of documents; errors are left to the first real search. */
export async function warmUp(index: Index, signal: AbortSignal): Promise<void> {
  try {
    const { documents } = await index.list({ limit: QUERIES });
    for (const { title } of documents) await index.search(title, { signal });
  } catch {}
}
