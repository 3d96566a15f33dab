/** Saves the last error of reading and the last error of embedding in the index, for `status`. Each is cleared separately. */
import type { StateStore } from '../../core/storage.ts';

const KEYS = { reading: 'readingError', embedding: 'embeddingError' } as const;

/** @param error the failure; undefined clears the saved error */
export function noteError(store: StateStore, work: keyof typeof KEYS, error?: unknown): void {
  const message = error === undefined ? '' : (error instanceof Error && error.message) || String(error);
  if ((store.getState(KEYS[work]) ?? '') === message) return;
  try {
    store.setState({ [KEYS[work]]: message });
  } catch (cause) {
    // Ignore that the error cannot be saved, for example on a full disk: the caller reports the error itself.
    if (error === undefined) throw cause;
  }
}

/** Returns the saved error: of reading if there is one, otherwise of embedding. Undefined if neither is saved. */
export function lastErrorIn(store: StateStore): string | undefined {
  return store.getState(KEYS.reading) || store.getState(KEYS.embedding) || undefined;
}
