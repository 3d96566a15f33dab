/** What every answer says of the index it comes from. */
import type { Store } from '../../core/storage.ts';
import type { IndexFacts } from '../api.ts';

/** @param model whose vectors count */
export function readFacts(store: Store, model: string): IndexFacts {
  const { documents, chunks, embedded } = store.counts(model);
  const updated = store.getState('updated');
  return { documents, chunks, embedded, model, stale: embedded < chunks, ...(updated ? { updated } : {}) };
}
