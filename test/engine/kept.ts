/** A vault whose index is kept fresh, with the real file system, and the syncs that this took. */
import { onTestFinished } from 'vitest';
import type { Index, SyncOptions } from '../../src/engine/api.ts';
import { type FreshIndex, type KeepFreshOptions, keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { createVault } from './vault.ts';

export async function kept(
  files: Readonly<Record<string, string>>,
  options: KeepFreshOptions = {},
  model?: string,
) {
  const vault = createVault(files, model);
  const calls: SyncOptions[] = [];
  const index = await vault.open();
  // The real index; the calls it gets are written down on the way.
  const counted: Index = {
    ...index,
    sync(wanted = {}) {
      calls.push(wanted);
      return index.sync(wanted);
    },
  };
  const fresh = keepFresh(counted, { patienceMs: 30_000, ...options });
  onTestFinished(() => fresh.close());
  return { vault, fresh, calls };
}

/** Paths of what words find, the best first. */
export const found = async (fresh: FreshIndex, query: string) =>
  (await fresh.search(query, { mode: 'keyword', minConfidence: 0 })).hits.map(({ path }) => path);
