/** Chooses where texts are read: few bytes in this thread, more bytes in worker threads. */
import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { fastDigest, vectorKey } from '../workspace/vector-key.ts';
import type { BatchReader } from '../workspace/workspace-parts.ts';
import type { ReadingSettings } from './read-worker.ts';
import { createReadingThreads } from './reading-threads.ts';

/**
 * Max bytes that are read in this thread. Reading them blocks the thread for about 40 ms, at worst for half a second.
 * Starting a worker thread takes a quarter of a second.
 */
const MAX_BYTES_HERE = 250_000;
/** With more threads, some would wait for the writing thread. */
const MAX_THREADS = 4;

export function openReader(
  { analyzers, ...settings }: ReadingSettings & { readonly analyzers: Analyzers },
  bytes: number,
  signal?: AbortSignal,
): BatchReader {
  const rules = { analyzers, chunking: settings.chunking, hash: vectorKey, digest: fastDigest };
  const localReader: BatchReader = {
    width: 1,
    async read(texts) {
      await nextTurn();
      // Loaded here, because a search that finds no changed files does not need the parsers.
      const { readBatch } = await import('../../core/read-batch.ts');
      signal?.throwIfAborted();
      return readBatch(texts, rules);
    },
    async close() {},
  };
  const threads = Math.min(availableParallelism(), MAX_THREADS);
  return bytes > MAX_BYTES_HERE ? createReadingThreads(threads, settings, localReader, signal) : localReader;
}
