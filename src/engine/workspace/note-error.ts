/** Keeps in the index what went wrong last, for `status`: reading and embedding apart, since either may go well while the other does not. */
import type { StateStore } from '../../core/storage.ts';

const KEYS = { reading: 'readingError', embedding: 'embeddingError' } as const;

/** @param error what went wrong; nothing any more without it */
export function noteError(store: StateStore, work: keyof typeof KEYS, error?: unknown): void {
  const message = error === undefined ? '' : String(error);
  if ((store.getState(KEYS[work]) ?? '') === message) return;
  try {
    store.setState({ [KEYS[work]]: message });
  } catch (cause) {
    // What is wrong is told even where it cannot be noted, as on a full disk.
    if (error === undefined) throw cause;
  }
}

/** What goes wrong now, as far as the index knows. */
export function lastErrorIn(store: StateStore): string | undefined {
  return store.getState(KEYS.reading) || store.getState(KEYS.embedding) || undefined;
}
