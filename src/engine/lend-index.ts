/** An open index for callers who close what they get. */
import type { Index } from './api.ts';

/** The same index, which stays open when it is closed or disposed of; it belongs to someone else. */
export function lendIndex(index: Index): Index {
  const keep = async () => {};
  return { ...index, close: keep, [Symbol.asyncDispose]: keep };
}
