/** Chooses where texts are read: in this thread, or in others where there is much to read. */
import { availableParallelism } from 'node:os';
import { readBatch } from '../../core/read-batch.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { inTurns } from '../in-turns.ts';
import { fastDigest, vectorKey } from '../workspace/vector-key.ts';
import type { BatchReader } from '../workspace/workspace.ts';
import type { ReadingSettings } from './read-worker.ts';
import { createReadingThreads } from './reading-threads.ts';

/** Threads take a quarter of a second to start, in which one reads about this many bytes. */
const WORTH_THREADS = 1_000_000;
/** More would wait for the one that writes. */
const MAX_THREADS = 4;

export function openReader(
  { analyzers, ...settings }: ReadingSettings & { readonly analyzers: Analyzers },
  bytes: number,
  signal?: AbortSignal,
): BatchReader {
  const threads = Math.min(availableParallelism(), MAX_THREADS);
  const rules = { analyzers, chunking: settings.chunking, hash: vectorKey, digest: fastDigest };
  const here: BatchReader = {
    width: 1,
    read: (texts) => inTurns(readBatch(texts, rules), signal),
    async close() {},
  };
  const isWorth = bytes >= WORTH_THREADS && threads > 1;
  return isWorth ? createReadingThreads(threads, settings, here, signal) : here;
}
