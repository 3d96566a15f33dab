/** Keeps in the index what went wrong last, for `status`: reading and embedding apart, since either may go well while the other does not. */
import type { Store } from '../../core/storage.ts';

const KEYS = { reading: 'last_error', embedding: 'embedding_error' } as const;

/** @param error what went wrong; nothing any more without it */
export function noteError(store: Store, work: keyof typeof KEYS, error?: unknown): void {
  const message = error === undefined ? '' : String(error);
  if ((store.getMeta(KEYS[work]) ?? '') === message) return;
  try {
    store.setMeta(KEYS[work], message);
  } catch (cause) {
    // What is wrong is told even where it cannot be noted, as on a full disk.
    if (error === undefined) throw cause;
  }
}

/** What goes wrong now, as far as the index knows. */
export function lastErrorIn(store: Store): string | undefined {
  return store.getMeta(KEYS.reading) || store.getMeta(KEYS.embedding) || undefined;
}
