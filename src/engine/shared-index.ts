/** An open index that a process keeps for many callers. */
import { DocfuseError } from '../core/errors.ts';
import type { Index, SyncOptions, SyncReport, Watching } from './api.ts';

/** Returns an index whose `close` and disposal do nothing: its owner closes the real index. */
export function lendIndex(index: Index): Index {
  const keep = async () => {};
  return { ...index, close: keep, [Symbol.asyncDispose]: keep };
}

/** Returns an index that answers and is not written: `sync` and `watch` do nothing. It follows what others write. */
export function readOnlyIndex(index: Index): Index {
  const refusal = () =>
    new DocfuseError(
      'usage',
      'This server only answers: it was started with --read-only.',
      'Ask the process that writes the index, or run docfuse index where the documents are.',
    );
  return { ...index, sync: async (options) => syncNothing(options, refusal), watch: watchNothing };
}

/** Does nothing: callers sync before a search, and others keep the index up to date. @throws `refusal` if asked to write */
export function syncNothing(
  { publish, rebuild, purge, dryRun }: SyncOptions = {},
  refusal: () => DocfuseError,
): SyncReport {
  if (publish || rebuild || purge || dryRun) throw refusal();
  return NOTHING_DONE;
}

const NO_FILES = { added: 0, changed: 0, renamed: 0, removed: 0, unchanged: 0, embedded: 0 };
const NOTHING_DONE: SyncReport = { ...NO_FILES, skipped: [], warnings: [], milliseconds: 0 };
export const watchNothing = (): Watching => ({
  problem: () => undefined,
  mustCompare: () => false,
  close() {},
});

/** Max number of searches of `warmUp`. More than about ten hardly make later searches faster. */
const QUERIES = 10;

/**
 * Searches for titles of documents, to load model and vectors and to compile code before the first real search. Ignores
 * errors: the first real search reports them.
 * @param rerank false if a service reranks, so that no titles are sent to it
 */
export async function warmUp(index: Index, signal: AbortSignal, rerank = true): Promise<void> {
  try {
    const { documents } = await index.list({ limit: QUERIES });
    for (const { title } of documents) await index.search(title, { signal, rerank });
  } catch {}
}

/**
 * Resolves when the signal is aborted, or when the parent process closes its IPC channel to this process.
 * @param input a stream; its end also resolves the promise
 */
export function ended(signal: AbortSignal, input?: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    function end(): void {
      // A listener on the channel would keep this process running.
      process.off('disconnect', end);
      resolve();
    }
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    input?.once('end', end).once('close', end);
    if (process.channel) process.on('disconnect', end);
  });
}
