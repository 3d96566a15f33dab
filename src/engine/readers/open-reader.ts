/** Chooses where texts are read: in this thread, or in others where there is more to read. */
import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readBatch } from '../../core/read-batch.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { fastDigest, vectorKey } from '../workspace/vector-key.ts';
import type { BatchReader } from '../workspace/workspace-parts.ts';
import type { ReadingSettings } from './read-worker.ts';
import { createReadingThreads } from './reading-threads.ts';

/**
 * Nothing else runs in a thread while it reads: about 40 ms for this many bytes, half a second for the most costly text.
 * A thread takes a quarter of a second to start.
 */
const MAX_BYTES_HERE = 250_000;
/** More would wait for the one that writes. */
const MAX_THREADS = 4;

export function openReader(
  { analyzers, ...settings }: ReadingSettings & { readonly analyzers: Analyzers },
  bytes: number,
  signal?: AbortSignal,
): BatchReader {
  const rules = { analyzers, chunking: settings.chunking, hash: vectorKey, digest: fastDigest };
  const here: BatchReader = {
    width: 1,
    async read(texts) {
      await nextTurn();
      signal?.throwIfAborted();
      return readBatch(texts, rules);
    },
    async close() {},
  };
  const threads = Math.min(availableParallelism(), MAX_THREADS);
  return bytes > MAX_BYTES_HERE ? createReadingThreads(threads, settings, here, signal) : here;
}
