/** Keeps in the index what went wrong last, for `status`: reading and embedding apart, since either may go well while the other does not. */
import type { StateStore } from '../../core/storage.ts';

const KEYS = { reading: 'readingError', embedding: 'embeddingError' } as const;

/** @param error the failure; without it, the former one is forgotten */
export function noteError(store: StateStore, work: keyof typeof KEYS, error?: unknown): void {
  const message = error === undefined ? '' : (error instanceof Error && error.message) || String(error);
  if ((store.getState(KEYS[work]) ?? '') === message) return;
  try {
    store.setState({ [KEYS[work]]: message });
  } catch (cause) {
    // An error is reported even if it cannot be saved, as on a full disk.
    if (error === undefined) throw cause;
  }
}

/** The errors the index knows of now. */
export function lastErrorIn(store: StateStore): string | undefined {
  return store.getState(KEYS.reading) || store.getState(KEYS.embedding) || undefined;
}
